import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("ab_test")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("valid_from", "bigint", (column) => column.notNull())
    .addColumn("valid_to", "bigint")
    .execute();

  await db.schema
    .createTable("ab_test_group")
    .addColumn("test", "text", (column) => column.notNull().references("ab_test.name").onDelete("cascade"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("position", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("ab_test_group_pk", ["test", "name"])
    .execute();

  await db.schema
    .createTable("promotion")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("site", "text", (column) => column.notNull())
    .addColumn("headline", "text", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("link_url", "text", (column) => column.notNull())
    .addColumn("link_text", "text", (column) => column.notNull())
    .addColumn("valid_from", "bigint", (column) => column.notNull())
    .addColumn("valid_to", "bigint")
    .addColumn("test", "text")
    .addColumn("test_group", "text")
    .addForeignKeyConstraint("promotion_group_fk", ["test", "test_group"], "ab_test_group", ["test", "name"])
    .addCheckConstraint("promotion_target", sql`(test is null) = (test_group is null)`)
    .execute();

  await db.schema.createIndex("promotion_place").on("promotion").columns(["key", "site", "valid_from"]).execute();
}
