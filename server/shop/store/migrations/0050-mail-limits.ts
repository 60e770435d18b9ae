import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("mail_budget")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("spent_until", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("suppressed_mailbox")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("since", "bigint", (column) => column.notNull())
    .addColumn("ends_at", "bigint")
    .execute();
}
