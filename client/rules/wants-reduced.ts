/**
 * Tells whether cookies ask for the reduced footer: visitors whom an affiliate has sent and visitors of the app have
 * such cookies.
 * @param cookies - values by name
 */
export function wantsReduced(cookies: Record<string, unknown>): boolean {
  return "affiliateNumber" in cookies || cookies["xc-app"] === "new";
}
