const selector = "[data-fragment]";

/**
 * Calls a handler once for every fragment of the page, also for those that the host page inserts later.
 * Only what is inserted is searched: a busy page changes all the time.
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
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof HTMLElement)) continue;
      if (node.matches(selector)) handleOnce(node);
      node.querySelectorAll<HTMLElement>(selector).forEach(handleOnce);
    }
  }).observe(root, { childList: true, subtree: true });
}
