const selector = "[data-fragment]";

/**
 * Calls a handler once for every fragment of the page, and for those that the host page inserts later. Searches only
 * inserted elements, because a busy page changes all the time.
 */
export function onEachFragment(root: Document, handle: (fragment: HTMLElement) => void): void {
  const handled = new WeakSet<Element>();
  const handleOnce = (fragment: HTMLElement) => {
    if (handled.has(fragment)) return;
    handled.add(fragment);
    handle(fragment);
  };
  root.querySelectorAll<HTMLElement>(selector).forEach(handleOnce);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (!(node instanceof HTMLElement)) continue;
        if (node.matches(selector)) handleOnce(node);
        node.querySelectorAll<HTMLElement>(selector).forEach(handleOnce);
      }
    }
  }).observe(root, { childList: true, subtree: true });
}

/**
 * Keeps ids unique when a page includes the same fragment twice. React derives ids from an island's prefix
 * (https://react.dev/reference/react/useId#specifying-a-shared-prefix-for-all-generated-ids).
 * @returns a function that renames the prefixes, ids and references in a fragment's islands if an earlier fragment has
 * the same ones; call it before the islands are hydrated
 */
export function createUniqueIds(): (fragment: HTMLElement) => void {
  const used = new Set<string | undefined>();

  return (fragment) => {
    for (const island of fragment.querySelectorAll<HTMLElement>("[data-island-prefix]")) {
      const { dataset } = island;
      const { islandPrefix } = dataset;
      if (used.has(islandPrefix)) {
        dataset.islandPrefix += `-${used.size}`;
        // Many attributes hold ids (for, aria-*, href, name). Only ids start with the prefix.
        for (const element of island.querySelectorAll("*")) {
          for (const attribute of element.attributes)
            attribute.value = attribute.value.replaceAll(`_${islandPrefix}R_`, `_${dataset.islandPrefix}R_`);
        }
      }
      used.add(dataset.islandPrefix);
    }
  };
}

declare global {
  interface Document {
    /**
     * Not yet in all browsers: https://html.spec.whatwg.org/multipage/document-lifecycle.html#dom-document-prerendering
     */
    readonly prerendering?: boolean;
  }
}

const mark = Symbol.for("storefront.boot");

/**
 * Runs `start` once per page, even if the page includes the script of two builds. On a prerendered page, waits until
 * the visitor opens it: nothing may happen for a visitor who never does.
 */
export function oncePerPage(root: Document, start: () => void): void {
  if (mark in root) return;
  Reflect.set(root, mark, true);
  if (root.prerendering) root.addEventListener("prerenderingchange", start);
  else start();
}
