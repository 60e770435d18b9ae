import type { Milliseconds } from "../../../client/rules/time.ts";
import { UnavailableError } from "../../errors.ts";

/** Lets one work at a time, in the order in which they come. */
export interface Turns {
  /**
   * Waits for the turn. Whoever has got it must end it.
   * @returns what ends the turn
   * @throws UnavailableError when the others take longer than the limit
   */
  take(limit: Milliseconds): Promise<() => void>;
}

export function createTurns(): Turns {
  let last = Promise.resolve();
  return {
    async take(limit) {
      const { promise, resolve: end } = Promise.withResolvers<void>();
      const before = last;
      last = before.then(() => promise);
      const { promise: over, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(new UnavailableError("the store has too much to do")), limit);
      try {
        await Promise.race([before, over]);
      } catch (error) {
        end();
        throw error;
      } finally {
        clearTimeout(timer);
      }
      return end;
    },
  };
}
