const offers = ["newsletter", "teasers", "seo", "social", "apps"];

/** Tells whether the cookies of a page ask for the reduced footer: visitors from affiliates and from the app. */
export function wantsReduced(cookie: string): boolean {
  return cookie
    .split(";")
    .map((pair) => pair.trim())
    .some((pair) => pair.startsWith("affiliateNumber=") || pair === "xc-app=new");
}

/** Reduces the footers of a page as the service does, for edges that strip the cookies before they ask for one. */
export function reduceByCookie(root: Document): void {
  if (!wantsReduced(root.cookie)) return;
  for (const footer of root.querySelectorAll<HTMLElement>('footer[data-fragment="footer"]')) {
    footer.dataset.reduced = "true";
    for (const name of offers) footer.querySelector(`[data-section="${name}"]`)?.remove();
  }
}
