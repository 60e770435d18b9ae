const mark = Symbol.for("storefront.boot");

/**
 * Starts the script once per page, also when the page includes it twice, from two builds with different addresses
 * (test/browser/fragments.test.ts).
 */
export function oncePerPage(root: Document, start: () => void): void {
  if (Reflect.has(root, mark)) return;
  Reflect.set(root, mark, true);
  start();
}
