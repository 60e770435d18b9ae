import { type Milliseconds, minute } from "../../client/rules/time.ts";
import type { Job } from "../drain.ts";
import { createOutage } from "../outage.ts";
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
  const outage = createOutage(logger, {
    away: "the service doesn't do its housekeeping",
    back: "the service does its housekeeping again",
  });
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
      outage.failed({ err: error });
      return "failed";
    });
    metrics.housekeepings.inc({ outcome });
  }

  async function keepHouseByClock(): Promise<HousekeepingOutcome> {
    const fault = await findClockFault();
    if (fault) {
      outage.failed({ reason: fault });
      return "left out";
    }
    await keepHouse();
    outage.answered();
    return "done";
  }
}
