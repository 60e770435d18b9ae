import type { LoginToken } from "../../rules/login-token.ts";

const key = "storefront.login-clock";

/** Differences below this, in seconds, count as none: an answer takes time, and a Date header has whole seconds. */
const tolerance = 5;

/**
 * Returns the service's time, in seconds since 1970: the device's clock, corrected by its offset when the service issued
 * the token. Without a saved offset the device's clock counts.
 */
export function serverTime({ exp }: LoginToken): number {
  const [issued, offset] = readOffset().split(" ").map(Number);
  return Math.floor(Date.now() / 1000) + (issued === exp && offset ? offset : 0);
}

/**
 * Saves the offset of the device's clock for all tabs, and for this token only, as the visitor may correct the clock
 * later. Saves nothing if the clock is right.
 * @param date - the Date header of the answer that issued the token
 */
export function saveClockOffset({ exp }: LoginToken, date: string | null): void {
  const offset = Math.round((Date.parse(date ?? "") - Date.now()) / 1000);
  if (!(Math.abs(offset) >= tolerance)) return;
  try {
    localStorage.setItem(key, `${exp} ${offset}`);
  } catch {
    // Storage may be full or forbidden: the device's clock has to do.
  }
}

function readOffset(): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}
