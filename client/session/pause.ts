const shortest = 30_000;
const longest = 15 * 60_000;

export interface Pause {
  over(): boolean;
  /** Begins anew, twice as long as the last time. */
  grow(): void;
  /** Ends at once, and the next one is short again. */
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
    // Not the time of day, which may be set back.
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
