import { type Dialect, type Driver, type Kysely, sql } from "kysely";
import { type Milliseconds, type Moment, second } from "../../client/rules/time.ts";
import type { HealthLog } from "../platform/health-log.ts";
import type { Job, Readiness } from "../platform/lifecycle.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { Tables } from "./tables.ts";

/** Interval between two checks of the database, and their time limit. */
const interval: Milliseconds = 2 * second;

/** Asks the database for the time: PostgreSQL has its machine's clock, SQLite ours. */
export async function databaseNow(db: Kysely<Tables>): Promise<Moment> {
  const time = sql<Date | string>`current_timestamp`.as("now");
  const { now } = await db.selectNoFrom(time).executeTakeFirstOrThrow();
  // SQLite returns UTC without saying so.
  return now instanceof Date ? now.getTime() : Date.parse(`${now}Z`);
}

/** Creates the job that reports to metrics and `/readyz` whether the database answers. It changes nothing else. */
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

  function check() {
    if (isChecking) return report(false);
    isChecking = true;
    void databaseNow(db)
      .then(
        () => report(true),
        () => report(false),
      )
      .finally(() => {
        isChecking = false;
      });
  }

  function report(isUp: boolean) {
    readiness.store = isUp ? "up" : "down";
    metrics.storeUp.set(isUp ? 1 : 0);
  }
}

/** Reports failures to connect, begin and commit to a health log. Kysely's own log covers statements. */
export function withHealthLog(health: HealthLog, dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => reportFailures(health, dialect.createDriver()),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

function reportFailures(health: HealthLog, driver: Driver): Driver {
  const report = (error: unknown) => {
    health.failed({ err: error });
    throw error;
  };
  return {
    init: (options) => driver.init(options),
    acquireConnection: (options) => driver.acquireConnection(options).catch(report),
    beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings).catch(report),
    commitTransaction: (connection) => driver.commitTransaction(connection).catch(report),
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
    releaseConnection: (connection, options) => driver.releaseConnection(connection, options),
    destroy: (options) => driver.destroy(options),
  };
}
