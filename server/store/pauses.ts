import type { Milliseconds } from "../../client/rules/time.ts";

/** The pause after the first attempt, and the longest one. */
export interface Pauses {
  first: Milliseconds;
  longest: Milliseconds;
}

/** The range in which a pause varies, as factors, so that entries that failed together aren't retried together. */
export const jitter = { least: 0.8, most: 1.2 };

/**
 * Returns the pause before the next attempt: twice as long each time, with jitter.
 * @param attempts - the number of attempts so far
 */
export function pauseAfter(attempts: number, { first, longest }: Pauses): Milliseconds {
  const share = jitter.least + (jitter.most - jitter.least) * Math.random();
  return Math.round(Math.min(first * 2 ** (attempts - 1), longest) * share);
}
