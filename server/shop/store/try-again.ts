import { setTimeout as pause } from "node:timers/promises";
import type { Milliseconds } from "../../../client/rules/time.ts";

/** Time between two tries. Until the next one, a pool has noticed which of its other connections are lost, too. */
const between: Milliseconds = 100;

interface Trial {
  /** Tells whether a fault may be gone at the next try. */
  passes(error: unknown): boolean;
  /** What fails later than this after the first try began isn't tried again. */
  within: Milliseconds;
}

/** Does something, and again while it fails with a fault that passes. It throws what the last try fails with. */
export async function tryAgain<Result>(work: () => Promise<Result>, { passes, within }: Trial): Promise<Result> {
  for (const begun = performance.now(); ; await pause(between)) {
    try {
      return await work();
    } catch (error) {
      if (!passes(error) || performance.now() - begun > within) throw error;
    }
  }
}
