import { type Kysely, sql } from "kysely";

/**
 * When a budget was last spent, and when an email was queued, which may be due later; null if an earlier release did
 * it.
 */
const statements = [
  "alter table mail_budget add column counted_at bigint",
  "alter table mail_outbox add column queued_at bigint",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
