import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw("create table seen_clock (id integer primary key, seen_at bigint not null, held_until bigint not null)")
    .execute(db);
}
