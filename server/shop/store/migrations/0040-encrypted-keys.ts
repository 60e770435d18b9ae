import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";

/**
 * Makes room for keys that are encrypted, hashes the ids of sessions, and forgets the networks that were counted in
 * clear.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("encrypted_key")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("secret", "text", (column) => column.notNull())
    .execute();
  for (const table of ["login_session", "staff_session"]) await hashIds(db, table);
  await sql`delete from rate_limit`.execute(db);
}

async function hashIds(db: Kysely<unknown>, table: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}`.execute(db);
  for (const { id } of rows) {
    const hash = createHash("sha256").update(id).digest("base64url");
    await sql`update ${sql.table(table)} set id = ${hash} where id = ${id}`.execute(db);
  }
}
