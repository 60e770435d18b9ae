import type { Tab } from "./tab.ts";

const longestWait = 2_000;

/**
 * Runs something unless another tab of the site is at it. Without locks each tab waits a time of its own, so that what
 * runs can see that another was quicker.
 * @returns nothing when another tab is at it
 */
export async function inOneTab<Result>(tab: Tab, run: () => Promise<Result>): Promise<Result | undefined> {
  const { locks } = tab.navigator;
  if (locks) {
    return locks.request("storefront.session", { ifAvailable: true }, async (lock) => (lock ? run() : undefined));
  }
  await new Promise((resolve) => setTimeout(resolve, Math.random() * longestWait));
  return run();
}
