import { hour, type Milliseconds, minute } from "../../../client/rules/time.ts";

/** How long a mail is tried before it is given up. */
export const triedFor = 24 * hour;
/** Pause after the first attempt, and the longest one. */
const first = minute;
const longest = 120 * minute;

/**
 * Gives the pause before the next attempt: twice as long each time, and by up to a fifth longer or shorter, so that
 * mails which failed together don't come back together.
 * @param attempts - how many attempts there were
 * @param random - a random number from 0 to 1
 */
export function pauseAfter(attempts: number, random = Math.random()): Milliseconds {
  return Math.round(Math.min(first * 2 ** (attempts - 1), longest) * (0.8 + 0.4 * random));
}
