import type { LoginToken } from "../rules/login-token.ts";
import type { Tab } from "./tab.ts";

const key = "storefront.login-clock";

/**
 * So many seconds a clock may seem to be off although it is right: an answer takes its time, and a Date header has whole
 * seconds.
 */
const tolerance = 5;

/**
 * The service's time, in seconds since 1970: that of the device, corrected by how far it was off when the service issued
 * the token. Where that isn't known, as no page has compared the clocks then, the device's clock counts.
 */
export function serverTime(tab: Tab, { exp }: LoginToken): number {
  const [issued, offset] = readEvidence(tab).split(" ").map(Number);
  return Math.floor(Date.now() / 1000) + (issued === exp && offset ? offset : 0);
}

/**
 * Keeps how far the device's clock is off, for all tabs, and for this token alone: the visitor may correct the clock
 * later. Nothing is kept where the clock is right.
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
