import { type CreateTableBuilder, type Kysely, sql } from "kysely";

/** Moments are `bigint`: milliseconds since 1970. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createRateLimitTable(db);
  await createPromotionTables(db);
  await createAccountTables(db);
  await createSubscriptionTables(db);
  await createConsentTables(db);
  await createQueueTables(db);
  await createMailLimitTables(db);
}

async function createRateLimitTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("rate_limit")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("points", "integer", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("rate_limit_end").on("rate_limit").column("expires_at").execute();
}

async function createPromotionTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("ab_test")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("valid_from", "bigint", (column) => column.notNull())
    .addColumn("valid_to", "bigint")
    .execute();

  await db.schema
    .createTable("ab_test_group")
    .addColumn("test", "text", (column) => column.notNull().references("ab_test.name").onDelete("cascade"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("position", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("ab_test_group_pk", ["test", "name"])
    .execute();

  await db.schema
    .createTable("promotion")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("site", "text", (column) => column.notNull())
    .addColumn("headline", "text", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("link_url", "text", (column) => column.notNull())
    .addColumn("link_text", "text", (column) => column.notNull())
    .addColumn("valid_from", "bigint", (column) => column.notNull())
    .addColumn("valid_to", "bigint")
    .addColumn("test", "text")
    .addColumn("test_group", "text")
    .addForeignKeyConstraint("promotion_group_fk", ["test", "test_group"], "ab_test_group", ["test", "name"])
    .addCheckConstraint("promotion_target", sql`(test is null) = (test_group is null)`)
    .execute();
  await db.schema.createIndex("promotion_place").on("promotion").columns(["key", "site", "valid_from"]).execute();
}

async function createAccountTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("account")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull().check(sql`kind in ('customer', 'staff')`))
    .addColumn("login_name", "text", (column) => column.notNull())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("password_hash", "text", (column) => column.notNull())
    .addColumn("salutation", "text", (column) => column.check(sql`salutation in ('MR', 'MRS', 'COMPANY', 'DIVERS')`))
    .addColumn("first_name", "text")
    .addColumn("last_name", "text")
    .addColumn("consents", "text", (column) => column.notNull())
    .addColumn("locked", "integer", (column) => column.notNull())
    .addColumn("demo", "integer", (column) => column.notNull())
    .addUniqueConstraint("account_login_name", ["kind", "login_name"])
    .execute();

  await db.schema
    .createTable("session")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull().references("account.id").onDelete("cascade"))
    .addColumn("stay", "integer", (column) => column.notNull())
    .addColumn("generation", "integer", (column) => column.notNull())
    .addColumn("rotated_at", "bigint")
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("ends_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("session_account").on("session").column("account_id").execute();
  await db.schema.createIndex("session_end").on("session").column("expires_at").execute();
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
    .addColumn("categories", "text")
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
    .$call(addSubscriptionId)
    .addColumn("purpose", "text", (column) => column.notNull().check(sql`purpose in ('subscriber', 'unsubscribe')`))
    .addColumn("mail_id", "text", (column) => column.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("used_at", "bigint")
    .addColumn("resent_at", "bigint")
    .execute();
  await db.schema.createIndex("newsletter_token_owner").on("newsletter_token").column("subscription_id").execute();
  await db.schema.createIndex("newsletter_token_end").on("newsletter_token").column("expires_at").execute();

  await db.schema
    .createTable("voucher")
    .addColumn("code", "text", (column) => column.primaryKey())
    .$call(addSubscriptionId)
    .addColumn("site", "text", (column) => column.notNull())
    .addColumn("discount", "integer", (column) => column.notNull())
    .addColumn("single_use", "integer", (column) => column.notNull())
    .addColumn("issued_at", "bigint", (column) => column.notNull())
    .addColumn("valid_until", "bigint")
    .addUniqueConstraint("voucher_owner", ["subscription_id"])
    .execute();
}

async function createConsentTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("consent_record")
    .addColumn("id", "text", (column) => column.primaryKey())
    .$call(addSubscriptionId)
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
    .createTable("erased_consent")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("event", "text", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("export_due_at", "bigint", (column) => column.notNull())
    .execute();
}

async function createQueueTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("mail_outbox")
    .$call(addQueueColumns)
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("site", "text", (column) => column.notNull())
    .addColumn("recipient", "text", (column) => column.notNull())
    .addColumn("mailbox", "text", (column) => column.notNull())
    .addColumn("data", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull().check(sql`state in ('queued', 'sent', 'failed')`))
    .addColumn("sent_at", "bigint")
    .execute();
  await db.schema.createIndex("mail_outbox_due").on("mail_outbox").columns(["state", "next_attempt_at"]).execute();
  await db.schema.createIndex("mail_outbox_mailbox").on("mail_outbox").columns(["mailbox", "created_at"]).execute();

  await db.schema
    .createTable("newsletter_event")
    .$call(addQueueColumns)
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("site", "text", (column) => column.notNull())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("data", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("newsletter_event_due").on("newsletter_event").column("next_attempt_at").execute();
  await db.schema.createIndex("newsletter_event_age").on("newsletter_event").column("created_at").execute();
  await db.schema
    .createIndex("newsletter_event_order")
    .on("newsletter_event")
    .columns(["email", "site", "position"])
    .unique()
    .execute();

  await db.schema.createTable("purge").$call(addQueueColumns).execute();
}

async function createMailLimitTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("mailbox")
    .addColumn("address", "text", (column) => column.primaryKey())
    .addColumn("asked_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("mail_budget")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("spent_until", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("suppressed_mailbox")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("since", "bigint", (column) => column.notNull())
    .addColumn("ends_at", "bigint")
    .execute();
}

/** Rows of a subscription are deleted with it. */
function addSubscriptionId<Table extends string, Columns extends string>(
  table: CreateTableBuilder<Table, Columns>,
): CreateTableBuilder<Table, Columns | "subscription_id"> {
  return table.addColumn("subscription_id", "text", (column) =>
    column.notNull().references("newsletter_subscription.id").onDelete("cascade"),
  );
}

function addQueueColumns<Table extends string, Columns extends string>(table: CreateTableBuilder<Table, Columns>) {
  return table
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("next_attempt_at", "bigint", (column) => column.notNull())
    .addColumn("leased_until", "bigint")
    .addColumn("created_at", "bigint", (column) => column.notNull());
}
