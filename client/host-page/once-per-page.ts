const mark = Symbol.for("storefront.boot");

/** Starts something unless this page has it already: two builds of the script may meet, each with an address of its own. */
export function oncePerPage(root: Document, start: () => void): void {
  if (Reflect.has(root, mark)) return;
  Reflect.set(root, mark, true);
  start();
}
