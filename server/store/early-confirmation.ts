import { PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Database } from "./open-store.ts";

/**
 * Lets PostgreSQL confirm a change of counters before it is on the disk: after a crash of the server, those of its last 0.6 s
 * are lost (https://www.postgresql.org/docs/18/wal-async-commit.html). Rows that callers rely on need a commit that waits.
 * The setting ends with the statement, if that is no part of a transaction. It is part of it, as apart it would take three
 * more round trips. SQLite has no such setting.
 * @returns an expression for the statement's `returning`, whose value means nothing
 */
export function confirmEarly(db: Database): RawBuilder<unknown> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  return isPostgres ? sql`set_config('synchronous_commit', 'off', true)` : sql`null`;
}
