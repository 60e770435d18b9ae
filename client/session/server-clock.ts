import type { LoginToken } from "../rules/login-token.ts";
import type { Tab } from "./tab.ts";

const key = "storefront.login-clock";

/** What the way of an answer and the whole seconds of a Date header may make of a right clock, in seconds. */
const tolerance = 5;

/**
 * The service's time, in seconds: the device's, put right by how far it was off when the service issued the token. Of a
 * token that the service issued to a page without upkeep nothing is known: for it the device's clock is right.
 */
export function serverTime(tab: Tab, { exp }: LoginToken): number {
  const [issued, offset] = readEvidence(tab).split(" ").map(Number);
  return Math.floor(Date.now() / 1000) + (issued === exp && offset ? offset : 0);
}

/**
 * Keeps how far the device's clock is off, for all tabs and as long as the token is the same: a clock that is put right
 * later spoils no more than that. A right clock leaves no trace.
 * @param date - the Date header of the answer that issued the token
 */
export function compareClocks(tab: Tab, { exp }: LoginToken, date: string | null): void {
  const offset = Math.round((Date.parse(date ?? "") - Date.now()) / 1000);
  if (!(Math.abs(offset) >= tolerance)) return;
  try {
    tab.localStorage.setItem(key, `${exp} ${offset}`);
  } catch {
    // Storage may be full or forbidden: then the device's clock has to do.
  }
}

function readEvidence(tab: Tab): string {
  try {
    return tab.localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}
