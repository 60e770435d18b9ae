import type { Milliseconds } from "../../../client/rules/time.ts";

/** The pause after the first attempt, and the longest one. */
export interface Pauses {
  first: Milliseconds;
  longest: Milliseconds;
}

/**
 * Gives the pause before the next attempt: twice as long each time, and by up to a fifth longer or shorter, so that what
 * has failed together doesn't come back together.
 * @param attempts - how many attempts there were
 * @param random - a random number from 0 to 1
 */
export function pauseAfter(attempts: number, { first, longest }: Pauses, random = Math.random()): Milliseconds {
  return Math.round(Math.min(first * 2 ** (attempts - 1), longest) * (0.8 + 0.4 * random));
}
