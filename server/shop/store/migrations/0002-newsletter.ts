import { type CreateTableBuilder, type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await createSubscriptionTables(db);
  await createConsentTables(db);
  await createMailTables(db);

  await db.schema
    .createTable("service_key")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("secret", "text", (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("rate_limit")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("points", "integer", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("rate_limit_end").on("rate_limit").column("expires_at").execute();
}

async function createSubscriptionTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("newsletter_subscription")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("site", "text", (column) => column.notNull())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("salutation", "text")
    .addColumn("first_name", "text")
    .addColumn("last_name", "text")
    .addColumn("consents", "text", (column) => column.notNull())
    .addColumn("origin", "text", (column) => column.notNull())
    .addColumn("origin_addition", "text")
    .addColumn("state", "text", (column) =>
      column.notNull().check(sql`state in ('pending', 'confirmed', 'withdrawn', 'refused', 'expired')`),
    )
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("requested_at", "bigint", (column) => column.notNull())
    .addColumn("changed_at", "bigint", (column) => column.notNull())
    .addColumn("confirmed_at", "bigint")
    .addColumn("last_opened_at", "bigint")
    .addColumn("sending_stopped_at", "bigint")
    .addUniqueConstraint("newsletter_subscription_address", ["email", "site"])
    .execute();
  await db.schema
    .createIndex("newsletter_subscription_age")
    .on("newsletter_subscription")
    .columns(["site", "state", "requested_at"])
    .execute();

  await db.schema
    .createTable("newsletter_token")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .$call(ofSubscription)
    .addColumn("purpose", "text", (column) => column.notNull().check(sql`purpose in ('subscriber', 'unsubscribe')`))
    .addColumn("mail_id", "text", (column) => column.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("used_at", "bigint")
    .addColumn("resent_at", "bigint")
    .execute();
  await db.schema.createIndex("newsletter_token_owner").on("newsletter_token").column("subscription_id").execute();
  await db.schema.createIndex("newsletter_token_end").on("newsletter_token").column("expires_at").execute();
}

async function createConsentTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("consent_record")
    .addColumn("id", "text", (column) => column.primaryKey())
    .$call(ofSubscription)
    .addColumn("event", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("declaration", "text", (column) => column.notNull())
    .addColumn("text", "text")
    .addColumn("text_version", "text")
    .addColumn("language", "text")
    .addColumn("network_hash", "text")
    .addColumn("mail_id", "text")
    .addColumn("export_due_at", "bigint")
    .addColumn("exported_at", "bigint")
    .execute();
  await db.schema.createIndex("consent_record_owner").on("consent_record").columns(["subscription_id", "at"]).execute();
  await db.schema
    .createIndex("consent_record_export")
    .on("consent_record")
    .columns(["exported_at", "export_due_at"])
    .execute();

  await db.schema
    .createTable("voucher")
    .addColumn("code", "text", (column) => column.primaryKey())
    .$call(ofSubscription)
    .addColumn("site", "text", (column) => column.notNull())
    .addColumn("discount", "integer", (column) => column.notNull())
    .addColumn("single_use", "integer", (column) => column.notNull())
    .addColumn("issued_at", "bigint", (column) => column.notNull())
    .addColumn("valid_until", "bigint")
    .addUniqueConstraint("voucher_owner", ["subscription_id"])
    .execute();
}

async function createMailTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("mail_outbox")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("site", "text", (column) => column.notNull())
    .addColumn("recipient", "text", (column) => column.notNull())
    .addColumn("mailbox", "text", (column) => column.notNull())
    .addColumn("data", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull().check(sql`state in ('queued', 'sent', 'failed')`))
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("next_attempt_at", "bigint", (column) => column.notNull())
    .addColumn("leased_until", "bigint")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("sent_at", "bigint")
    .execute();
  await db.schema.createIndex("mail_outbox_due").on("mail_outbox").columns(["state", "next_attempt_at"]).execute();
  await db.schema.createIndex("mail_outbox_mailbox").on("mail_outbox").columns(["mailbox", "created_at"]).execute();

  await db.schema
    .createTable("mailbox")
    .addColumn("address", "text", (column) => column.primaryKey())
    .addColumn("asked_at", "bigint", (column) => column.notNull())
    .execute();
}

/** What belongs to a subscription ends with it. */
function ofSubscription<Table extends string, Columns extends string>(
  table: CreateTableBuilder<Table, Columns>,
): CreateTableBuilder<Table, Columns | "subscription_id"> {
  return table.addColumn("subscription_id", "text", (column) =>
    column.notNull().references("newsletter_subscription.id").onDelete("cascade"),
  );
}
