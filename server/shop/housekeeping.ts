import { type Milliseconds, minute } from "../../client/rules/time.ts";
import type { Job } from "../drain.ts";
import type { Logger } from "../logger.ts";

/** Time between two runs. */
const interval: Milliseconds = 10 * minute;

/**
 * Creates the job that removes from the store, again and again, what its terms don't let it keep. Any number of
 * replicas may run it: what one of them has done, the others find done.
 */
export function createHousekeeping(keepHouse: () => Promise<void>, logger: Logger): Job {
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;
  return {
    start() {
      timer = setInterval(run, interval).unref();
      run();
    },
    async close() {
      clearInterval(timer);
      await underWay;
    },
  };

  function run() {
    underWay ??= keepHouse()
      .catch((error) => logger.warn({ err: error }, "the service could not do its housekeeping"))
      .finally(() => {
        underWay = undefined;
      });
  }
}
