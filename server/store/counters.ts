import { type SqlBool, sql } from "kysely";
import type { Milliseconds, Moment } from "../../client/rules/time.ts";
import { clockTolerance } from "../platform/time.ts";
import { confirmEarly } from "./early-confirmation.ts";
import { deleteInBatches } from "./housekeeping.ts";
import type { Database } from "./open-store.ts";
import type { Tables } from "./tables.ts";

/** A counter for all replicas together, which starts again when its period is over. */
export interface Counter {
  key: string;
  /** The longest time from its first point to its end. */
  period: Milliseconds;
}

/** The rows of counters, by their keys. */
export type Counts = ReadonlyMap<string, Tables["rateLimit"]>;

/**
 * Adds points to counters, and locks their rows until the transaction ends. Rows are sorted, so that replicas lock them in
 * the same order. Outside of a transaction, PostgreSQL confirms the points early.
 * @param points - 0 locks a counter, and starts it again if its period is over
 * @returns the counters with their new points
 */
export async function addPoints(
  db: Database,
  counters: readonly Counter[],
  points: number,
  at: Moment,
): Promise<Counts> {
  const sorted = counters.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const rows = await db
    .insertInto("rateLimit")
    .values(sorted.map(({ key, period }) => ({ key, points, expiresAt: at + period })))
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet(({ eb, ref }) => {
        // An end that is further away than a period was written by a clock that was ahead.
        const latestEnd = eb("excluded.expiresAt", "+", clockTolerance);
        const isOver = eb.or([eb("rateLimit.expiresAt", "<=", at), eb("rateLimit.expiresAt", ">", latestEnd)]);
        return {
          points: eb
            .case()
            .when(isOver)
            .then(ref("excluded.points"))
            .else(eb("rateLimit.points", "+", ref("excluded.points")))
            .end(),
          expiresAt: eb.case().when(isOver).then(ref("excluded.expiresAt")).else(ref("rateLimit.expiresAt")).end(),
        };
      }),
    )
    .returningAll()
    .$if(!db.isTransaction, (query) => query.returning(confirmEarly(db).as("early")))
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/** Reads those of the counters whose period isn't over. */
export async function readPoints(db: Database, counters: readonly Counter[], at: Moment): Promise<Counts> {
  const keys = counters.map(({ key }) => key);
  const found = db.selectFrom("rateLimit").selectAll().where("key", "in", keys).where("expiresAt", ">", at);
  const latestEndOf = new Map(counters.map(({ key, period }) => [key, at + period + clockTolerance]));
  const rows = (await found.execute()).filter(({ key, expiresAt }) => expiresAt <= (latestEndOf.get(key) ?? 0));
  return new Map(rows.map((row) => [row.key, row]));
}

/** Deletes counters whose period is over. */
export async function deleteExpiredCounters(db: Database, at: Moment): Promise<void> {
  await deleteInBatches(db, "rateLimit", "key", sql<SqlBool>`${sql.ref("expiresAt")} <= ${at}`);
}
