/**
 * Whether cookies ask for the reduced footer, as they do for the app and for visitors from affiliates.
 * @param cookies - values by name
 */
export function wantsReduced(cookies: Record<string, unknown>): boolean {
  return "affiliateNumber" in cookies || cookies["xc-app"] === "new";
}
