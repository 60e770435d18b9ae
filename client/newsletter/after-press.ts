/**
 * Calls a function when nothing is pressed any more. What it shows would move the page under the pointer, and the click
 * would miss what was pressed: test/browser/newsletter-checks.test.ts
 */
export function afterPress(act: () => void): void {
  // Of a tap, the press and the click come at once.
  setTimeout(() => {
    if (!document.querySelector(":active")) return act();
    const released = new AbortController();
    const wait = () => {
      released.abort();
      // The click comes right after the release.
      setTimeout(act);
    };
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, wait, { signal: released.signal });
  });
}
