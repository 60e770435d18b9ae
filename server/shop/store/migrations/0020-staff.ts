import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("staff")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("login_name", "text", (column) => column.notNull().unique())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("password_hash", "text", (column) => column.notNull())
    .addColumn("locked", "integer", (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("staff_session")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("staff_id", "text", (column) => column.notNull().references("staff.id").onDelete("cascade"))
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("ends_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("staff_session_staff").on("staff_session").column("staff_id").execute();
  await db.schema.createIndex("staff_session_end").on("staff_session").column("expires_at").execute();
}
