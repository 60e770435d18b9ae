/** Whether a page shows another time or group than the present ones. */
export function isPreviewed(page: Document): boolean {
  return page.querySelector("[data-preview-context]") !== null;
}
