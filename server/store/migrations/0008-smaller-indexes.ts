import { type Kysely, sql } from "kysely";

/** Indexes without the rows that no query finds by them: most tokens never expire, and few consents are exported. */
const statements = [
  "drop index newsletter_token_end",
  "create index newsletter_token_end on newsletter_token (expires_at) where expires_at is not null",
  "drop index consent_record_export",
  `create index consent_record_export on consent_record (exported_at, export_due_at)
    where export_due_at is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
