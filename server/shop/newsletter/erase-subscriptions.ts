import { randomUUID } from "node:crypto";
import type { Moment } from "../../../client/rules/time.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import { findAllOfAddress, type Subscription } from "./find-subscription.ts";
import { registerDeadline } from "./iys.ts";

/**
 * Removes the subscriptions of an address on every site, with their proof, vouchers and links.
 * @returns how many there were, and how many entries are kept for the register
 */
export async function eraseSubscriptions(
  transaction: StoreTransaction,
  email: string,
  at: Moment,
): Promise<{ subscriptions: number; keptForRegister: number }> {
  const subscriptions = await findAllOfAddress(transaction, email);
  let keptForRegister = 0;
  for (const subscription of subscriptions) {
    keptForRegister += await keepForRegister(transaction, subscription, at);
    await transaction.deleteFrom("newsletterSubscription").where("id", "=", subscription.id).execute();
  }
  return { subscriptions: subscriptions.length, keptForRegister };
}

/**
 * Keeps what a register hasn't been told of a subscription, and nothing else of it. A consent that is in force there
 * ends with the subscription.
 * @returns how many entries are kept
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
  const entries = records
    .filter(({ exportedAt }) => exportedAt === null)
    .map(({ event, at, exportDueAt }) => ({ id: randomUUID(), email, event, at, exportDueAt }));
  if (records.at(-1)?.event === "confirmed")
    entries.push({ id: randomUUID(), email, event: "withdrawn", at, exportDueAt: registerDeadline(at) });
  if (entries.length > 0) await transaction.insertInto("erasedConsent").values(entries).execute();
  return entries.length;
}
