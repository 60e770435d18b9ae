import { type Kysely, sql } from "kysely";

/** The columns of every queue. */
const queueColumns = `
  id text primary key,
  attempts integer not null,
  next_attempt_at bigint not null,
  leased_until bigint,
  created_at bigint not null`;

/** The column of rows that are deleted with their subscription. */
const subscriptionId = "subscription_id text not null references newsletter_subscription (id) on delete cascade";

/** In SQL that SQLite and PostgreSQL share. Moments are `bigint`: milliseconds since 1970. */
const statements = [
  `create table rate_limit (
    key text primary key,
    points integer not null,
    expires_at bigint not null
  )`,
  "create index rate_limit_end on rate_limit (expires_at)",
  `create table seen_clock (
    id integer primary key,
    seen_at bigint not null,
    held_until bigint not null
  )`,

  `create table ab_test (
    name text primary key,
    valid_from bigint not null,
    valid_to bigint
  )`,
  `create table ab_test_group (
    test text not null references ab_test (name) on delete cascade,
    name text not null,
    position integer not null,
    constraint ab_test_group_pk primary key (test, name)
  )`,
  `create table promotion (
    id text primary key,
    key text not null,
    site text not null,
    headline text not null,
    text text not null,
    link_url text not null,
    link_text text not null,
    valid_from bigint not null,
    valid_to bigint,
    test text,
    test_group text,
    constraint promotion_group_fk foreign key (test, test_group) references ab_test_group (test, name),
    constraint promotion_target check ((test is null) = (test_group is null))
  )`,
  "create index promotion_place on promotion (key, site, valid_from)",

  `create table account (
    id text primary key,
    kind text not null check (kind in ('customer', 'staff')),
    login_name text not null,
    email text not null,
    password_hash text not null,
    salutation text check (salutation in ('MR', 'MRS', 'COMPANY', 'DIVERS')),
    first_name text,
    last_name text,
    consents text not null,
    locked integer not null,
    demo integer not null,
    constraint account_login_name unique (kind, login_name)
  )`,
  `create table session (
    id text primary key,
    account_id text not null references account (id) on delete cascade,
    stay integer not null,
    generation integer not null,
    rotated_at bigint,
    expires_at bigint not null,
    ends_at bigint not null
  )`,
  "create index session_account on session (account_id)",
  "create index session_end on session (expires_at)",

  `create table newsletter_subscription (
    id text primary key,
    site text not null,
    email text not null,
    salutation text,
    first_name text,
    last_name text,
    consents text not null,
    categories text not null,
    origin text not null,
    origin_addition text,
    state text not null check (state in ('pending', 'confirmed', 'withdrawn', 'refused', 'expired')),
    created_at bigint not null,
    requested_at bigint not null,
    changed_at bigint not null,
    confirmed_at bigint,
    last_opened_at bigint,
    sending_stopped_at bigint,
    constraint newsletter_subscription_address unique (email, site)
  )`,
  "create index newsletter_subscription_age on newsletter_subscription (site, state, requested_at)",
  "create index newsletter_subscription_email on newsletter_subscription (lower(email))",
  `create table newsletter_token (
    hash text primary key,
    ${subscriptionId},
    purpose text not null check (purpose in ('subscriber', 'unsubscribe')),
    mail_id text not null,
    expires_at bigint,
    used_at bigint,
    resent_at bigint
  )`,
  "create index newsletter_token_owner on newsletter_token (subscription_id)",
  "create index newsletter_token_end on newsletter_token (expires_at)",
  `create table voucher (
    code text primary key,
    ${subscriptionId},
    site text not null,
    discount integer not null,
    single_use integer not null,
    issued_at bigint not null,
    valid_until bigint,
    constraint voucher_owner unique (subscription_id)
  )`,

  `create table consent_record (
    id text primary key,
    ${subscriptionId},
    event text not null,
    at bigint not null,
    declaration text not null,
    text text,
    text_version text,
    language text,
    network_hash text,
    mail_id text,
    export_due_at bigint,
    exported_at bigint
  )`,
  "create index consent_record_owner on consent_record (subscription_id, at)",
  "create index consent_record_export on consent_record (exported_at, export_due_at)",
  `create table erased_consent (
    id text primary key,
    email text not null,
    event text not null,
    at bigint not null,
    export_due_at bigint not null
  )`,

  `create table mail_outbox (${queueColumns},
    kind text not null,
    site text not null,
    recipient text not null,
    mailbox text not null,
    data text not null,
    state text not null check (state in ('queued', 'sent', 'failed')),
    sent_at bigint
  )`,
  "create index mail_outbox_due on mail_outbox (state, next_attempt_at)",
  "create index mail_outbox_mailbox on mail_outbox (mailbox, created_at)",
  `create table newsletter_event (${queueColumns},
    type text not null,
    subscription_id text not null,
    position integer not null,
    data text not null
  )`,
  "create index newsletter_event_due on newsletter_event (next_attempt_at)",
  "create index newsletter_event_age on newsletter_event (created_at)",
  "create unique index newsletter_event_order on newsletter_event (subscription_id, position)",
  `create table newsletter_report (
    hash text primary key,
    received_at bigint not null
  )`,
  "create index newsletter_report_age on newsletter_report (received_at)",
  `create table purge (${queueColumns})`,

  `create table mailbox (
    address text primary key,
    asked_at bigint not null
  )`,
  `create table mail_budget (
    name text primary key,
    spent_until bigint not null
  )`,
  `create table suppressed_mailbox (
    hash text primary key,
    reason text not null,
    since bigint not null,
    ends_at bigint
  )`,

  // The content is Base64, because the databases' own types for bytes differ.
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
