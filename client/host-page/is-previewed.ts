/** Tells whether a page shows a preview: the shop at another time, or for another group of an A/B test. */
export function isPreviewed(page: Document): boolean {
  return page.querySelector("[data-preview-context]") !== null;
}
