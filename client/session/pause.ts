import { type Milliseconds, minute, second } from "../rules/time.ts";

const shortest: Milliseconds = 30 * second;
const longest: Milliseconds = 15 * minute;

export interface Pause {
  over(): boolean;
  /** Begins a pause that is twice as long as the last one. */
  grow(): void;
  /** Ends the pause at once; the next one is as short as the first. */
  end(): void;
}

/**
 * A pause between attempts: grows from half a minute to a quarter of an hour, and ends for each tab at another time, so
 * that a service that comes back isn't met by all tabs at once.
 */
export function createPause(): Pause {
  let attempts = 0;
  let end = 0;
  return {
    // The time of day may be set back; this clock only goes on.
    over: () => performance.now() >= end,
    grow() {
      const length = Math.min(shortest * 2 ** attempts, longest);
      end = performance.now() + (length * (1 + Math.random())) / 2;
      attempts += 1;
    },
    end() {
      attempts = 0;
      end = 0;
    },
  };
}
