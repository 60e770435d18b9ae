import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("newsletter_subscription").addColumn("categories", "text").execute();
}
