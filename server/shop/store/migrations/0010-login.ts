import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("account")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("login_name", "text", (column) => column.notNull().unique())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("password_hash", "text", (column) => column.notNull())
    .addColumn("salutation", "text", (column) => column.check(sql`salutation in ('MR', 'MRS', 'COMPANY', 'DIVERS')`))
    .addColumn("first_name", "text")
    .addColumn("last_name", "text")
    .addColumn("consents", "text", (column) => column.notNull())
    .addColumn("locked", "integer", (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("login_session")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("account.id").onDelete("cascade"))
    .addColumn("stay", "integer", (column) => column.notNull())
    .addColumn("generation", "integer", (column) => column.notNull())
    .addColumn("rotated_at", "bigint")
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("ends_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("login_session_account").on("login_session").column("account_id").execute();
  await db.schema.createIndex("login_session_end").on("login_session").column("expires_at").execute();

  await db.schema
    .createTable("login_throttle")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("tries", "integer", (column) => column.notNull())
    .addColumn("blocked_until", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("login_throttle_end").on("login_throttle").column("expires_at").execute();
}
