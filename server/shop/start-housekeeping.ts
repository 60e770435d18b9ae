import type { Logger } from "../logger.ts";

/** Between two runs, in milliseconds. */
const interval = 10 * 60_000;

/**
 * Keeps the store to its terms, again and again. Any number of replicas may do so: whatever one of them has done, the
 * others find done.
 */
export function startHousekeeping(keepHouse: () => Promise<void>, logger: Logger): { close(): Promise<void> } {
  let underWay: Promise<void> | undefined;
  const timer = setInterval(run, interval).unref();
  run();
  return {
    async close() {
      clearInterval(timer);
      await underWay;
    },
  };

  function run() {
    underWay ??= keepHouse()
      .catch((error) => logger.warn({ err: error }, "housekeeping failed"))
      .finally(() => {
        underWay = undefined;
      });
  }
}
