import { randomUUID } from "node:crypto";
import { normalizeEmail } from "../../../../client/rules/email.ts";
import type { Moment } from "../../../../client/rules/time.ts";
import { eraseCustomer } from "../../../accounts/accounts.ts";
import { endProviderSessionsOf } from "../../../accounts/provider-sessions.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import { type Database, inTransaction, type StoreTransaction } from "../../../store/open-store.ts";
import type { Tables } from "../../../store/tables.ts";
import { eraseMailFiles } from "../mail/file-transport.ts";
import { addressIs, mailboxOf, privateDomainOf } from "../mail/mailboxes.ts";
import { createSuppression } from "../mail/suppression.ts";
import { enqueueEvent } from "../webhook/events.ts";
import { registerDeadline } from "./consent-records.ts";
import { findOnAllSites, type Subscription } from "./subscriptions.ts";

interface EraseOptions {
  /** Whether to suppress the address as well: then no sign-up leads to an email any more. */
  suppress?: boolean | undefined;
  /** Whether a webhook receives newsletter events. */
  hasReceiver?: boolean;
  /** Records the erasure in its transaction. */
  record?: (transaction: StoreTransaction, counts: Record<string, number>) => Promise<void>;
}

interface Erasure extends EraseOptions {
  transaction: StoreTransaction;
  keys: SecretKeys;
  /** The normalized address. */
  email: string;
  at: Moment;
}

/**
 * Erases an address from a table.
 * @returns how many rows were erased, and how many kept
 */
type Erase = (erasure: Erasure) => Promise<Record<string, number>>;
/** The reason why nothing is erased from a table. */
type Exempt = "erased with others" | "kept for the register" | "keyed hashes only" | "no personal data";

/**
 * How an address is erased from each table. Mailboxes come before subscriptions, in the same order as the locks of a
 * sign-up.
 */
const tables: Record<keyof Tables, Erase | Exempt> = {
  mailOutbox: eraseMails,
  mailbox: "erased with others",
  mailBudget: "erased with others",
  account: async ({ transaction, keys, email }) => ({ accounts: await eraseCustomer(transaction, keys, email) }),
  session: "erased with others",
  providerSession: async ({ transaction, email }) => ({
    providerSessions: await endProviderSessionsOf(transaction, email),
  }),
  newsletterSubscription: eraseSubscriptions,
  newsletterToken: "erased with others",
  newsletterEvent: "erased with others",
  newsletterReport: "keyed hashes only",
  voucher: "erased with others",
  voucherCode: "no personal data",
  voucherWait: "erased with others",
  consentRecord: "erased with others",
  erasedConsent: "kept for the register",
  auditEvent: "keyed hashes only",
  suppressedMailbox: "keyed hashes only",
  rateLimit: "keyed hashes only",
  abTest: "no personal data",
  abTestGroup: "no personal data",
  promotion: "no personal data",
  purge: "no personal data",
  seenClock: "no personal data",
  archivedAsset: "no personal data",
  lastingKey: "no personal data",
};

/**
 * Erases all data about an address, in any capitalization: subscriptions on every site with their proof and vouchers,
 * emails, and the customer's account with its sessions. Keeps what the register or the webhook must still receive.
 * @param mailFolder - the folder of emails written to files
 * @returns how much was erased, how many declarations are kept for the register, and how many erasures the webhook must
 * still receive
 */
export async function eraseAddress(
  db: Database,
  keys: SecretKeys,
  address: string,
  mailFolder: string,
  at: Moment,
  options: EraseOptions = {},
) {
  const email = normalizeEmail(address);
  const counts = await inTransaction(db, async (transaction) => {
    if (options.suppress) await createSuppression(keys).suppress(transaction, email, at);
    const counts: Record<string, number> = {};
    for (const erase of Object.values(tables))
      if (typeof erase === "function") Object.assign(counts, await erase({ transaction, keys, email, at, ...options }));
    await options.record?.(transaction, counts);
    return counts;
  });
  return { ...counts, mailFiles: await eraseMailFiles(mailFolder, email) };
}

/** Deletes the emails to an address, and the times at which its mailbox and its private domain last got an email. */
async function eraseMails({ transaction, email }: Erasure) {
  const [addresses, domain] = [[mailboxOf(email), email.toLowerCase()], privateDomainOf(email) ?? ""];
  await transaction.deleteFrom("mailbox").where("address", "in", addresses).execute();
  await transaction.deleteFrom("mailBudget").where("name", "=", domain).execute();
  const mails = transaction.deleteFrom("mailOutbox").where(addressIs("recipient", email));
  return { mails: Number((await mails.executeTakeFirst()).numDeletedRows) };
}

/** Deletes the subscriptions of an address on every site, with their proof, vouchers, tokens and webhook events. */
async function eraseSubscriptions({ transaction, email, at, hasReceiver }: Erasure) {
  const subscriptions = await findOnAllSites(transaction, [email]);
  let [keptForRegister, keptForReceiver] = [0, 0];
  for (const subscription of subscriptions) {
    const { id, site, confirmedAt } = subscription;
    keptForRegister += await keepForRegister(transaction, subscription, at);
    const events = transaction.deleteFrom("newsletterEvent").where("subscriptionId", "=", id).returning("leasedUntil");
    const leases = (await events.execute()).map(({ leasedUntil }) => leasedUntil ?? at);
    // Receivers only know confirmed subscribers.
    if (hasReceiver && confirmedAt !== null) {
      // Waits for the lease of an event that is being sent, so that this one arrives last.
      const due = Math.max(at, ...leases);
      await enqueueEvent(transaction, { type: "erased", data: { id, site }, at, due });
      keptForReceiver++;
    }
    await transaction.deleteFrom("newsletterSubscription").where("id", "=", id).execute();
  }
  return { subscriptions: subscriptions.length, keptForRegister, keptForReceiver };
}

/**
 * Keeps the declarations that the register doesn't have yet, and nothing else about the subscription. A consent that
 * the register has ends with the subscription.
 * @returns the number of kept declarations
 */
async function keepForRegister(
  transaction: StoreTransaction,
  { id, email }: Subscription,
  at: Moment,
): Promise<number> {
  const records = await transaction
    .selectFrom("consentRecord")
    .select(["event", "at", "exportDueAt", "exportedAt"])
    .where("subscriptionId", "=", id)
    .where("exportDueAt", "is not", null)
    .$narrowType<{ exportDueAt: Moment }>()
    .orderBy("at")
    .orderBy("event")
    .execute();
  const kept = records
    .filter(({ exportedAt }) => exportedAt === null)
    .map(({ event, at, exportDueAt }) => ({ id: randomUUID(), email, event, at, exportDueAt }));
  if (records.at(-1)?.event === "confirmed")
    kept.push({ id: randomUUID(), email, event: "withdrawn", at, exportDueAt: registerDeadline(at) });
  if (kept.length > 0) await transaction.insertInto("erasedConsent").values(kept).execute();
  return kept.length;
}
