import { type Selectable, type SqlBool, sql } from "kysely";
import type { Moment } from "../../../../client/rules/time.ts";
import { UnavailableError } from "../../../platform/errors.ts";
import { toIsoOrNull } from "../../../platform/time.ts";
import type { Database, StoreTransaction } from "../../../store/open-store.ts";
import type { KnownSubscription, PreferencesResult, ReadResult, SubscriptionStatus } from "../service.ts";
import type { State, SubscriptionTable, TokenTable } from "./newsletter-tables.ts";
import { showFields } from "./personal-fields.ts";
import { hashToken } from "./tokens.ts";

export type Subscription = Selectable<SubscriptionTable>;

interface SubscriptionWithToken {
  subscription: Subscription;
  token: Selectable<TokenTable>;
}

/** Returns a subscriber as in the exports and the events, without the fields that only events have. */
export function toSubscriber(subscription: Subscription) {
  const { id, site, email, confirmedAt } = subscription;
  return { id, site, email, ...showFields(subscription), confirmedAt: toIsoOrNull(confirmedAt) };
}

const statuses: Record<State, SubscriptionStatus> = {
  pending: "WAITING_FOR_DOI",
  confirmed: "SUBSCRIBED",
  withdrawn: "UNSUBSCRIBED",
  refused: "UNSUBSCRIBED",
  expired: "NONE",
};

/** Reads the subscription to which a subscriber's token belongs. */
export async function readSubscription(db: Database, token: string, at: Moment): Promise<ReadResult> {
  const row = await db
    .selectFrom("newsletterToken")
    .innerJoin("newsletterSubscription", "newsletterSubscription.id", "subscriptionId")
    .select(["state", "site", "consents", "expiresAt"])
    .where("hash", "=", hashToken(token))
    .where(({ eb, or }) => or([eb("purpose", "=", "subscriber"), eb("canChange", "=", 1)]))
    .executeTakeFirst()
    .catch(throwUnavailable);
  if (!row) return { status: "invalidToken" };
  const { state, site, consents, expiresAt } = row;
  const isOverdue = state === "pending" && expiresAt !== null && expiresAt <= at;
  const status = statuses[isOverdue ? "expired" : state];
  return { status: "found", subscription: { status, site, consents: JSON.parse(consents) } };
}

/** Reads what the token of a link may show and do on the subscriber's page. */
export async function readPreferences(db: Database, text: string, at: Moment): Promise<PreferencesResult> {
  const found = await db
    .selectFrom("newsletterToken")
    .innerJoin("newsletterSubscription", "newsletterSubscription.id", "subscriptionId")
    .selectAll("newsletterSubscription")
    .select(["purpose", "canChange", "expiresAt", "usedAt"])
    .where("hash", "=", hashToken(text))
    .executeTakeFirst()
    .catch(throwUnavailable);
  if (!found) return { status: "invalidToken" };
  const { site, state } = found;
  if (state === "withdrawn") return { status: "ended", site };
  if (state !== "confirmed" && (state !== "pending" || isExpired({ token: found, subscription: found }, at)))
    return { status: "invalidToken" };
  if (found.canChange === 0) return { status: "endOnly", site };
  if (!mayChange(found)) return { status: "invalidToken" };
  const { salutation, firstName, lastName, consents, categories } = showFields(found);
  const preferences = { salutation, firstName, lastName, consents, categories };
  return { status: "found", site, isConfirmed: state === "confirmed", preferences };
}

/** Lists the subscriptions of a normalized address. */
export async function listSubscriptions(db: Database, email: string): Promise<KnownSubscription[]> {
  const rows = await db
    .selectFrom("newsletterSubscription")
    .selectAll()
    .where("email", "=", email)
    .orderBy("confirmedAt", "desc")
    .execute()
    .catch(throwUnavailable);
  return rows.map((row) => ({ site: row.site, status: statuses[row.state], ...showFields(row) }));
}

function throwUnavailable(cause: unknown): never {
  throw new UnavailableError("the store can't be read", { cause });
}

/**
 * Whether a token may change data. That of a confirmation link may; that of the subscriber's page may while the
 * subscription lasts.
 */
export function mayChange({
  purpose,
  canChange,
  usedAt,
}: Pick<TokenTable, "purpose" | "canChange" | "usedAt">): boolean {
  return purpose === "subscriber" || (canChange === 1 && usedAt === null);
}

/** Whether a confirmation link has expired. */
export function isExpired(
  { token, subscription }: { token: Pick<TokenTable, "expiresAt">; subscription: Pick<SubscriptionTable, "state"> },
  at: Moment,
): boolean {
  return subscription.state === "expired" || (token.expiresAt !== null && token.expiresAt <= at);
}

/** Finds the subscription of a token, and locks it until the transaction ends. */
export async function findByToken(
  transaction: StoreTransaction,
  text: string,
): Promise<SubscriptionWithToken | undefined> {
  const hash = hashToken(text);
  const subscription = await lockSubscriptions(transaction)
    .where("id", "=", ({ selectFrom }) =>
      selectFrom("newsletterToken").select("subscriptionId").where("hash", "=", hash),
    )
    .executeTakeFirst();
  const token = await transaction.selectFrom("newsletterToken").selectAll().where("hash", "=", hash).executeTakeFirst();
  return subscription && token && { subscription, token };
}

/** Finds the address to which a subscriber's token belongs, without locking the subscription. */
export async function findRecipient(transaction: StoreTransaction, text: string): Promise<string | undefined> {
  const found = await transaction
    .selectFrom("newsletterToken")
    .innerJoin("newsletterSubscription", "newsletterSubscription.id", "newsletterToken.subscriptionId")
    .select("newsletterSubscription.email")
    .where("newsletterToken.hash", "=", hashToken(text))
    .where("newsletterToken.purpose", "=", "subscriber")
    .executeTakeFirst();
  return found?.email;
}

/** Finds the subscriptions of addresses, each on its site, and locks them until the transaction ends. */
export async function findByAddresses(
  transaction: StoreTransaction,
  addresses: readonly { email: string; site: string }[],
): Promise<Subscription[]> {
  // PostgreSQL takes ten times as long for a list of (address, site) pairs: npm run bench -- sign-ups
  const emails = addresses.map(({ email }) => email);
  const sites = [...new Set(addresses.map(({ site }) => site))];
  const found = await lockSubscriptions(transaction).where("email", "in", emails).where("site", "in", sites).execute();
  const wanted = new Set(addresses.map(({ email, site }) => `${site} ${email}`));
  return found.filter(({ email, site }) => wanted.has(`${site} ${email}`));
}

/** Finds the subscriptions of addresses on all sites, in any capitalization, and locks them. */
export function findOnAllSites(transaction: StoreTransaction, emails: readonly string[]): Promise<Subscription[]> {
  const lowered = sql.join(emails.map((email) => sql`lower(${email})`));
  return lockSubscriptions(transaction)
    .where(sql<SqlBool>`lower(${sql.ref("email")}) in (${lowered})`)
    .execute();
}

/**
 * Finds subscriptions, and locks them until the transaction ends. Uses an update, which locks rows in both SQLite and
 * PostgreSQL.
 */
export function lockSubscriptions(transaction: StoreTransaction) {
  return transaction
    .updateTable("newsletterSubscription")
    .set(({ ref }) => ({ state: ref("state") }))
    .returningAll();
}
