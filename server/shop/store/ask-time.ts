import { type Kysely, sql } from "kysely";
import type { Moment } from "../../../client/rules/time.ts";
import type { Tables } from "./tables.ts";

/** Asks the database what time it is: PostgreSQL by the clock of its own machine, SQLite by that of ours. */
export async function askTime(db: Kysely<Tables>): Promise<Moment> {
  const time = sql<Date | string>`current_timestamp`.as("now");
  const { now } = await db.selectNoFrom(time).executeTakeFirstOrThrow();
  // SQLite writes it in UTC, and doesn't say so.
  return now instanceof Date ? now.getTime() : Date.parse(`${now}Z`);
}
