const offers = ["newsletter", "teasers", "seo", "social", "apps"];

/** Tells whether cookies ask for the reduced footer: those of visitors from affiliates and from the app. */
export function wantsReduced(cookies: Record<string, unknown>): boolean {
  return "affiliateNumber" in cookies || cookies["xc-app"] === "new";
}

/** @param cookie - as in `document.cookie` */
export function readCookies(cookie: string): Record<string, string> {
  const pairs = cookie.split(";").map((pair) => pair.trim().split(/=(.*)/s));
  return Object.fromEntries(pairs.map(([name = "", value = ""]) => [name, value]));
}

/** Reduces the footers of a page as the service does, for edges that strip the cookies before they ask for one. */
export function reduceByCookie(root: Document): void {
  if (!wantsReduced(readCookies(root.cookie))) return;
  for (const footer of root.querySelectorAll<HTMLElement>('footer[data-fragment="footer"]')) {
    footer.dataset.reduced = "true";
    for (const name of offers) footer.querySelector(`[data-section="${name}"]`)?.remove();
  }
}
