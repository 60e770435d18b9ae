import { type Kysely, sql } from "kysely";

/** The codes of a shop's till, and the subscribers whose welcome email waits for one. */
const statements = [
  `create table voucher_code (
    code text primary key,
    site text not null,
    imported_at bigint not null,
    taken_at bigint
  )`,
  "create index voucher_code_left on voucher_code (site, imported_at, code) where taken_at is null",
  `create table voucher_wait (
    subscription_id text primary key references newsletter_subscription (id) on delete cascade,
    site text not null,
    since bigint not null
  )`,
  "create index voucher_wait_next on voucher_wait (site, since)",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
