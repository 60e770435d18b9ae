import { type Kysely, sql } from "kysely";

/** What operators and members of staff have done. */
const statements = [
  `create table audit_event (
    id text primary key,
    at bigint not null,
    event text not null,
    operator text,
    kind text,
    account text,
    site text,
    subject text,
    counts text
  )`,
  "create index audit_event_at on audit_event (at)",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
