import { type Kysely, sql } from "kysely";

const statement = `create table lasting_key (
  id text primary key,
  purpose text not null,
  wrapped text not null
)`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statement).execute(db);
}
