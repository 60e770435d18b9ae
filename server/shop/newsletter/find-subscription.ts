import type { Selectable } from "kysely";
import type { Moment } from "../../../client/rules/time.ts";
import { addressIs } from "../store/address-is.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import type { SubscriptionTable, TokenTable } from "./newsletter-tables.ts";
import { hashToken } from "./tokens.ts";

export type Subscription = Selectable<SubscriptionTable>;

export interface Held {
  subscription: Subscription;
  token: Selectable<TokenTable>;
}

/**
 * Finds the subscription of a token, and locks it until the transaction ends: writing a row locks it, in SQLite and in
 * PostgreSQL.
 */
export async function findByToken(transaction: StoreTransaction, text: string): Promise<Held | undefined> {
  const hash = hashToken(text);
  const subscription = await lock(transaction)
    .where("id", "=", ({ selectFrom }) =>
      selectFrom("newsletterToken").select("subscriptionId").where("hash", "=", hash),
    )
    .executeTakeFirst();
  const token = await transaction.selectFrom("newsletterToken").selectAll().where("hash", "=", hash).executeTakeFirst();
  return subscription && token && { subscription, token };
}

/** Finds the address of a token's subscription, and locks nothing. */
export async function findRecipient(transaction: StoreTransaction, text: string): Promise<string | undefined> {
  const found = await transaction
    .selectFrom("newsletterToken")
    .innerJoin("newsletterSubscription", "newsletterSubscription.id", "newsletterToken.subscriptionId")
    .select("newsletterSubscription.email")
    .where("newsletterToken.hash", "=", hashToken(text))
    .executeTakeFirst();
  return found?.email;
}

/** Finds the subscriptions of addresses, each on its site, and locks them until the transaction ends. */
export async function findByAddresses(
  transaction: StoreTransaction,
  addresses: readonly Pick<Subscription, "email" | "site">[],
): Promise<Subscription[]> {
  // Pairs of address and site, one after the other, would take PostgreSQL ten times as long: npm run bench -- sign-ups
  const found = await lock(transaction)
    .where(
      "email",
      "in",
      addresses.map(({ email }) => email),
    )
    .where("site", "in", [...new Set(addresses.map(({ site }) => site))])
    .execute();
  const asked = new Set(addresses.map(({ email, site }) => `${site} ${email}`));
  return found.filter(({ email, site }) => asked.has(`${site} ${email}`));
}

/**
 * Finds the subscriptions of an address on all sites, however its capitals are written, and locks them until the
 * transaction ends.
 */
export function findAllOfAddress(transaction: StoreTransaction, email: string): Promise<Subscription[]> {
  return lock(transaction).where(addressIs("email", email)).execute();
}

/** Settles the question of the mails sent so far, whose links then confirm nothing new. */
export async function closeTokens(transaction: StoreTransaction, { id }: Subscription, at: Moment): Promise<void> {
  await transaction
    .updateTable("newsletterToken")
    .set({ usedAt: at })
    .where("subscriptionId", "=", id)
    .where("purpose", "=", "subscriber")
    .where("usedAt", "is", null)
    .execute();
}

function lock(transaction: StoreTransaction) {
  return transaction
    .updateTable("newsletterSubscription")
    .set(({ ref }) => ({ state: ref("state") }))
    .returningAll();
}
