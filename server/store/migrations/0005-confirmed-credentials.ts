import { type Kysely, sql } from "kysely";

/** When the credentials of a session first came back after they were replaced; null until then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table session add column confirmed_at bigint").execute(db);
}
