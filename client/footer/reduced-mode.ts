const offers = ["newsletter", "teasers", "seo", "social", "apps"];

/** Tells whether cookies ask for the reduced footer: those of visitors from affiliates and from the app. */
export function wantsReduced(cookies: Record<string, unknown>): boolean {
  return "affiliateNumber" in cookies || cookies["xc-app"] === "new";
}

/** Reduces a footer as the service does, for edges that strip the cookies before they ask for one. */
export function reduceByCookie(footer: HTMLElement, cookies: Record<string, string>): void {
  if (!wantsReduced(cookies)) return;
  footer.dataset.reduced = "true";
  for (const name of offers) footer.querySelector(`[data-section="${name}"]`)?.remove();
}
