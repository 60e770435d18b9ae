import { type Kysely, sql } from "kysely";
import { type Milliseconds, type Moment, second } from "../../client/rules/time.ts";
import type { Job, Readiness } from "../platform/lifecycle.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Tables } from "./tables.ts";

/** The interval between two checks of the database, and their time limit. */
const interval: Milliseconds = 2 * second;

/** Asks the database for the time: PostgreSQL's machine has its own clock, SQLite has ours. */
export async function databaseNow(db: Kysely<Tables>): Promise<Moment> {
  const time = sql<Date | string>`current_timestamp`.as("now");
  const { now } = await db.selectNoFrom(time).executeTakeFirstOrThrow();
  // SQLite returns UTC without a time zone.
  return now instanceof Date ? now.getTime() : Date.parse(`${now}Z`);
}

/** Creates the job that reports to metrics and `/readyz` whether the database answers. It has no other effect. */
export function watchStore(
  db: Kysely<Tables>,
  { metrics, readiness }: { metrics: Pick<Metrics, "storeUp">; readiness: Readiness },
): Job {
  let timer: NodeJS.Timeout | undefined;
  let isChecking = false;
  return {
    start() {
      timer = setInterval(check, interval).unref();
      check();
    },
    async close() {
      clearInterval(timer);
    },
  };

  async function check() {
    // The previous check has no answer yet.
    if (isChecking) return report(false);
    isChecking = true;
    const isUp = await databaseNow(db).then(
      () => true,
      () => false,
    );
    isChecking = false;
    report(isUp);
  }

  function report(isUp: boolean) {
    readiness.store = isUp ? "up" : "down";
    metrics.storeUp.set(isUp ? 1 : 0);
  }
}
