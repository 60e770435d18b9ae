import { type Kysely, sql } from "kysely";

/** Marks the accounts of the demo. Those that earlier releases have added are known by their addresses. */
export async function up(db: Pick<Kysely<unknown>, "schema" | "getExecutor">): Promise<void> {
  await db.schema.alterTable("account").addColumn("demo", "integer").execute();
  await db.schema.alterTable("staff").addColumn("demo", "integer").execute();
  await sql`update account set demo = 1 where login_name = 'demo@example.com'`.execute(db);
  await sql`update staff set demo = 1 where login_name = 'staff@example.com'`.execute(db);
}
