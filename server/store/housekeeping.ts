import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Milliseconds, minute } from "../../client/rules/time.ts";
import { createHealthLog } from "../platform/health-log.ts";
import type { Job } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Database } from "./open-store.ts";
import { databaseNow } from "./store-health.ts";
import type { Tables } from "./tables.ts";

/** The outcomes of a run. */
const outcomes = ["done", "failed", "left out"] as const;
export type HousekeepingOutcome = (typeof outcomes)[number];

/** Interval between two runs, and until the first. */
const interval: Milliseconds = 10 * minute;
/** Largest difference between two clocks that are both right. */
const tolerance: Milliseconds = 5 * minute;
/** Rows per statement, so that other changes needn't wait for long. */
export const batchSize = 500;

/**
 * Creates the job that regularly deletes what has expired. Any number of replicas may run it. A run is skipped when the
 * clock may be wrong, as it would delete too much; there is none at the start, as a clock that nothing else checks must
 * have run evenly for an interval.
 */
export function createHousekeeping(
  cleanUp: () => Promise<void>,
  db: Database,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): Job {
  const health = createHealthLog(logger, { down: "housekeeping failed", up: "housekeeping recovered" });
  // Starting at 0 lets Prometheus see the first failure as an increase.
  for (const outcome of outcomes) metrics.housekeepings.inc({ outcome }, 0);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let clockOffset = readClockOffset();
  return {
    start() {
      timer = setInterval(() => {
        running ??= run().finally(() => {
          running = undefined;
        });
      }, interval).unref();
    },
    async close() {
      clearInterval(timer);
      await running;
    },
  };

  async function run() {
    const outcome = await cleanUpIfClockIsRight().catch((err): HousekeepingOutcome => {
      health.failed({ err });
      return "failed";
    });
    metrics.housekeepings.inc({ outcome });
  }

  async function cleanUpIfClockIsRight(): Promise<HousekeepingOutcome> {
    const reason = await findClockFault();
    if (reason) {
      health.failed({ reason });
      return "left out";
    }
    await cleanUp();
    health.answered();
    return "done";
  }

  /** Returns what is wrong with the clock: it has jumped since the last run, or differs from the database's. */
  async function findClockFault(): Promise<string | undefined> {
    const before = clockOffset;
    clockOffset = readClockOffset();
    if (Math.abs(clockOffset - before) > tolerance) return "the clock has jumped";
    if (Math.abs((await databaseNow(db)) - Date.now()) > tolerance) return "the clock differs from the database's";
    return undefined;
  }
}

/** Returns the difference between the clock, which may be set, and one that only runs. */
function readClockOffset(): Milliseconds {
  return Date.now() - performance.now();
}

/** Repeats a step that handles up to `batchSize` rows, and returns their number, until none are left. */
export async function inBatches(step: () => Promise<number>): Promise<void> {
  while ((await step()) >= batchSize);
}

/**
 * Deletes rows in batches.
 * @param id - the column that identifies a row
 * @param isExpired - checked again when a row is deleted, as it may have changed
 */
export function deleteInBatches<Table extends keyof Tables>(
  db: Database,
  table: Table,
  id: keyof Tables[Table] & string,
  isExpired: RawBuilder<SqlBool>,
): Promise<void> {
  const [from, key] = [sql.table(table), sql.ref(id)];
  const found = sql`select ${key} from ${from} where ${isExpired} limit ${batchSize}`;
  const deletion = sql`delete from ${from} where ${key} in (${found}) and ${isExpired}`;
  return inBatches(async () => Number((await deletion.execute(db)).numAffectedRows));
}
