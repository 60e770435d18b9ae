/**
 * Whether cookies ask for the reduced footer: those of affiliates' visitors and of the app do.
 * @param cookies - values by name
 */
export function wantsReduced(cookies: Record<string, unknown>): boolean {
  return "affiliateNumber" in cookies || cookies["xc-app"] === "new";
}
