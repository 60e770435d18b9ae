/**
 * Lets the host page's consent manager answer the consent link: dispatches `storefront:consent-open` on window, and
 * follows the link only when nobody cancels the event.
 * @param root - where clicks are listened for, so that fragments inserted later work too
 */
export function openConsentOnClick(root: Document): void {
  root.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("footer[data-fragment] a[data-consent]");
    if (!link) return;
    const open = new CustomEvent("storefront:consent-open", { cancelable: true });
    if (!window.dispatchEvent(open)) event.preventDefault();
  });
}
