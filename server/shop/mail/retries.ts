const minute = 60_000;

/** How long a mail is tried before it is given up, in milliseconds. */
export const triedFor = 24 * 60 * minute;
/** Pause after the first attempt, and the longest one, in milliseconds. */
const first = minute;
const longest = 120 * minute;

/**
 * Pause before the next attempt, in milliseconds: twice as long each time, and by up to a fifth longer or shorter, so
 * that mails which failed together don't come back together.
 * @param attempts - how many there were
 * @param random - from 0 to 1
 */
export function pauseAfter(attempts: number, random = Math.random()): number {
  return Math.round(Math.min(first * 2 ** (attempts - 1), longest) * (0.8 + 0.4 * random));
}
