import { type Kysely, sql } from "kysely";

/** The mailbox of each subscription; null if an earlier release has stored the subscription. */
const statements = [
  "alter table newsletter_subscription add column mailbox text",
  "create index newsletter_subscription_mailbox on newsletter_subscription (mailbox)",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
