import { type Kysely, sql } from "kysely";

/** Which tokens open the subscriber's page. An earlier release takes such a token for one that only unsubscribes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table newsletter_token add column can_change integer not null default 0").execute(db);
}
