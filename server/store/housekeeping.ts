import { type RawBuilder, type SqlBool, sql } from "kysely";
import { day, type Milliseconds, type Moment, minute } from "../../client/rules/time.ts";
import { createHealthLog } from "../platform/health-log.ts";
import type { Job } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { clockTolerance, toIso } from "../platform/time.ts";
import type { Database } from "./open-store.ts";
import { databaseNow } from "./store-health.ts";
import type { Tables } from "./tables.ts";

/** The outcomes of a run. */
const outcomes = ["done", "failed", "left out"] as const;
export type HousekeepingOutcome = (typeof outcomes)[number];

/** The interval between two runs, and until the first one. */
const interval: Milliseconds = 10 * minute;
/**
 * The maximum number of days by which the clock may have moved since the last run. If a service is off for a weekend,
 * it moves by less.
 */
const maxDays = 3;
/** How long nothing is deleted after the clock has moved further, so that operators can correct it. */
const holdTime: Milliseconds = day;
/** Rows per statement, so that other changes don't have to wait long. */
export const batchSize = 500;

/**
 * Creates the job that regularly deletes expired data. Any number of replicas may run it. It skips a run if the clock
 * may be wrong, because it would delete too much. It doesn't run at the start, so that a machine can set its clock
 * first.
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
    let outcome: HousekeepingOutcome = "failed";
    try {
      const reason = await findClockFault(db, Date.now());
      if (reason) {
        outcome = "left out";
        health.down({ reason });
      } else {
        await cleanUp();
        outcome = "done";
        health.up();
      }
    } catch (err) {
      health.down({ err });
    }
    metrics.housekeepings.inc({ outcome });
  }
}

/**
 * Returns the reason why the clock may be wrong, and what to do. SQLite has the same clock as the service, so only the
 * time of the last run can reveal a wrong clock. The service may also just have been off, so deletion continues after a
 * day.
 */
async function findClockFault(db: Database, now: Moment): Promise<string | undefined> {
  if (Math.abs((await databaseNow(db)) - now) > clockTolerance) return "the clock differs from the database's";
  const { heldUntil } = await db
    .insertInto("seenClock")
    .values({ id: 1, seenAt: now, heldUntil: now })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet(({ eb, ref }) => ({
        seenAt: now,
        heldUntil: eb
          .case()
          .when(eb.between("seenClock.seenAt", now - maxDays * day, now + maxDays * day))
          .then(ref("seenClock.heldUntil"))
          .else(now + holdTime)
          .end(),
      })),
    )
    .returning("heldUntil")
    .executeTakeFirstOrThrow();
  if (heldUntil <= now) return undefined;
  const moved = `since the last run the clock has moved by more than ${maxDays} days`;
  return `${moved}: unless the service was off, correct it before ${toIso(heldUntil)}, when deletion continues`;
}

/** Repeats a step until no rows are left. The step handles up to `batchSize` rows, and returns their number. */
export async function inBatches(step: () => Promise<number>): Promise<void> {
  while ((await step()) >= batchSize);
}

/**
 * Deletes rows in batches.
 * @param id - the column that identifies a row
 * @param isExpired - checked again when a row is deleted, because the row may have changed
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
