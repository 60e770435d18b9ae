import { type Milliseconds, type Moment, minute } from "../../client/rules/time.ts";

interface ClockCheckOptions {
  /** Asks another clock for the time. */
  askTime(): Promise<Moment>;
  clock?: () => Moment;
  /** Time since any moment, by a clock that nobody sets. */
  uptime?: () => Milliseconds;
}

/** Most by which two clocks differ that are both right. */
const tolerance: Milliseconds = 5 * minute;

/**
 * Creates a check of the clock, which is set wrong now and then. It returns what is wrong: the clock has jumped since the
 * last check, or since this call, or it differs from the other one.
 */
export function createClockCheck({ askTime, clock = Date.now, uptime = () => performance.now() }: ClockCheckOptions) {
  let lastStart = start();
  return async (): Promise<string | undefined> => {
    const before = lastStart;
    lastStart = start();
    if (Math.abs(lastStart - before) > tolerance) return "the clock has jumped";
    if (Math.abs((await askTime()) - clock()) > tolerance) return "the clock differs from the database's";
    return undefined;
  };

  /** When that clock began to count, by the one to check. */
  function start(): Moment {
    return clock() - uptime();
  }
}
