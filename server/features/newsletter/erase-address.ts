import { randomUUID } from "node:crypto";
import { normalizeEmail } from "../../../client/rules/email.ts";
import type { Moment } from "../../../client/rules/time.ts";
import { eraseCustomer } from "../../accounts/accounts.ts";
import type { SecretKeys } from "../../platform/secret-keys.ts";
import { inTransaction, type StoreTransaction } from "../../store/in-transaction.ts";
import type { Database } from "../../store/open-store.ts";
import { registerDeadline } from "./embedded/iys.ts";
import { findAllOfAddress, type Subscription } from "./embedded/subscriptions.ts";
import { eraseMailFiles } from "./mail/file-transport.ts";
import { eraseMails } from "./mail/outbox.ts";
import type { Suppression } from "./mail/suppression.ts";
import { deleteEvents, enqueueEvent } from "./webhook/event-outbox.ts";

/** How much was erased, and what is kept for now. */
interface Erased {
  subscriptions: number;
  /** Mails in the outbox. */
  mails: number;
  /** Files of mails. */
  mailFiles: number;
  /** Accounts of customers. */
  accounts: number;
  /** Consents and withdrawals that are kept until they are exported to the register. */
  keptForRegister: number;
  /** Subscriptions whose address is kept until the webhook has been told to erase it. */
  keptForReceiver: number;
}

interface EraseOptions {
  /** Suppresses the address, too: no sign-up ever leads to a mail again. */
  suppression?: Suppression | undefined;
  /** Whether newsletter events are sent. */
  hasReceiver?: boolean;
}

/**
 * Erases everything known of an address, in any case: subscriptions of every site with their proof and vouchers, mails,
 * and the customer's account with its sessions. What a register or the receiver of events must still be told is kept.
 * @param mailFolder - the folder of mails written to files
 */
export async function eraseAddress(
  db: Database,
  keys: SecretKeys,
  address: string,
  mailFolder: string,
  at: Moment,
  { suppression, hasReceiver = false }: EraseOptions = {},
): Promise<Erased> {
  const email = normalizeEmail(address);
  const { mails, accounts, ...subscriptions } = await inTransaction(db, async (transaction) => {
    await suppression?.suppress(transaction, email, at);
    return {
      mails: await eraseMails(transaction, email),
      accounts: await eraseCustomer(transaction, keys, email),
      ...(await eraseSubscriptions(transaction, email, at, hasReceiver)),
    };
  });
  return { mails, mailFiles: await eraseMailFiles(mailFolder, email), accounts, ...subscriptions };
}

/**
 * Deletes the subscriptions of an address on every site, with their proof, vouchers, tokens and webhook events.
 * @param hasWebhook - whether a webhook receives events
 */
async function eraseSubscriptions(
  transaction: StoreTransaction,
  email: string,
  at: Moment,
  hasWebhook: boolean,
): Promise<Pick<Erased, "subscriptions" | "keptForRegister" | "keptForReceiver">> {
  const subscriptions = await findAllOfAddress(transaction, email);
  let [keptForRegister, keptForReceiver] = [0, 0];
  for (const subscription of subscriptions) {
    const { id, site, email, confirmedAt } = subscription;
    keptForRegister += await keepForRegister(transaction, subscription, at);
    const leasedUntil = await deleteEvents(transaction, { email, site });
    // Receivers know confirmed subscribers only.
    if (hasWebhook && confirmedAt !== null) {
      // An event that is being sent must not arrive after this one.
      await enqueueEvent(transaction, { type: "erased", data: { id, site, email }, at, due: leasedUntil });
      keptForReceiver++;
    }
    await transaction.deleteFrom("newsletterSubscription").where("id", "=", id).execute();
  }
  return { subscriptions: subscriptions.length, keptForRegister, keptForReceiver };
}

/**
 * Keeps the declarations that the register doesn't have yet, and nothing else of the subscription. A consent that the
 * register has ends with the subscription.
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
