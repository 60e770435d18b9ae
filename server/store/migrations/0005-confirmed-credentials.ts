import { type Kysely, sql } from "kysely";

/** When the credentials of a session were first sent back after their replacement; null before that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table session add column confirmed_at bigint").execute(db);
}
