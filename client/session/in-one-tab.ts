import { type Milliseconds, second } from "../rules/time.ts";
import type { Tab } from "./tab.ts";

const longestWait: Milliseconds = 2 * second;

/**
 * Runs something unless another tab of the site runs it already. Where the browser has no locks, each tab first waits
 * for a random time, so that what runs can see whether another tab was quicker.
 * @returns undefined when another tab runs it
 */
export async function inOneTab<Result>(tab: Tab, run: () => Promise<Result>): Promise<Result | undefined> {
  const { locks } = tab.navigator;
  if (locks) {
    return locks.request("storefront.session", { ifAvailable: true }, async (lock) => (lock ? run() : undefined));
  }
  await new Promise((resolve) => setTimeout(resolve, Math.random() * longestWait));
  return run();
}
