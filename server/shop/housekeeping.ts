import { type Milliseconds, minute } from "../../client/rules/time.ts";
import type { Job } from "../drain.ts";
import type { Parts } from "../parts.ts";
import { createClockCheck } from "./check-clock.ts";
import { askTime } from "./store/ask-time.ts";
import type { Database } from "./store/open-store.ts";

/** How a run ends. */
const outcomes = ["done", "failed", "left out"] as const;
export type HousekeepingOutcome = (typeof outcomes)[number];

/** Time until the first run, and between two. */
const interval: Milliseconds = 10 * minute;

/**
 * Creates the job that removes from the store, again and again, what its terms don't let it keep. Any number of
 * replicas may run it: what one of them has done, the others find done. A run is left out when the clock may be wrong,
 * as it would remove what is still good. A clock that nothing is compared with must have been even for an interval, which
 * is why none runs at the start.
 */
export function createHousekeeping(
  keepHouse: () => Promise<void>,
  db: Database,
  { logger, metrics }: Pick<Parts, "logger" | "metrics">,
): Job {
  const findClockFault = createClockCheck({ askTime: () => askTime(db) });
  // The first failure is a rise from 0, which Prometheus sees.
  for (const outcome of outcomes) metrics.housekeepings.inc({ outcome }, 0);
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;
  return {
    start() {
      timer = setInterval(() => {
        underWay ??= run().finally(() => {
          underWay = undefined;
        });
      }, interval).unref();
    },
    async close() {
      clearInterval(timer);
      await underWay;
    },
  };

  async function run() {
    const outcome = await keepHouseByClock().catch((error): HousekeepingOutcome => {
      logger.warn({ err: error }, "the service could not do its housekeeping");
      return "failed";
    });
    metrics.housekeepings.inc({ outcome });
  }

  async function keepHouseByClock(): Promise<HousekeepingOutcome> {
    const fault = await findClockFault();
    if (fault) {
      logger.warn({ reason: fault }, "the service left out its housekeeping");
      return "left out";
    }
    await keepHouse();
    return "done";
  }
}
