import { type Kysely, sql } from "kysely";

/** The content is Base64: the databases' own types of bytes differ. */
const statements = [
  `create table archived_asset (
    name text primary key,
    content text not null,
    used_at bigint not null
  )`,
  "create index archived_asset_age on archived_asset (used_at)",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
