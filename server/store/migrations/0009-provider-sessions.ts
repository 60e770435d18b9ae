import { type Kysely, sql } from "kysely";

/** The sessions of customers who have signed in at an OpenID provider. */
const statements = [
  `create table provider_session (
    id text primary key,
    issuer text not null,
    client_id text not null,
    sub text not null,
    sid text,
    email text,
    first_name text,
    last_name text,
    tokens text not null,
    stay integer not null,
    generation integer not null,
    rotated_at bigint,
    confirmed_at bigint,
    leased_until bigint,
    expires_at bigint not null,
    ends_at bigint not null
  )`,
  "create index provider_session_sub on provider_session (issuer, client_id, sub)",
  "create index provider_session_sid on provider_session (issuer, client_id, sid)",
  "create index provider_session_email on provider_session (lower(email))",
  "create index provider_session_end on provider_session (expires_at)",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
