import type { Milliseconds } from "../rules/time.ts";

/** The time between two looks whether something is still pressed. */
const pause: Milliseconds = 20;

/**
 * Calls a function soon, when nothing is pressed any more. What it shows would move the page under the pointer, and the
 * click would miss what was pressed: test/browser/newsletter-checks.test.ts
 */
export function afterPress(act: () => void): void {
  setTimeout(() => (document.querySelector(":active") ? afterPress(act) : act()), pause);
}
