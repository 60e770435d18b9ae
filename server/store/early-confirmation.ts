import { PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Database } from "./open-store.ts";

/**
 * Makes PostgreSQL confirm a change of counters before it is on the disk. If its server crashes, the last 0.6 s are
 * lost (https://www.postgresql.org/docs/18/wal-async-commit.html). Rows that callers rely on need a commit that waits.
 * Outside a transaction, the setting ends with the statement. It is part of the statement, because on its own it would
 * take three more round trips. SQLite has no such setting.
 * @returns an expression for the statement's `returning`; its value has no meaning
 */
export function confirmEarly(db: Database): RawBuilder<unknown> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  return isPostgres ? sql`set_config('synchronous_commit', 'off', true)` : sql`null`;
}
