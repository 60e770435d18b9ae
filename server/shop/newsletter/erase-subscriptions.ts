import { randomUUID } from "node:crypto";
import type { Moment } from "../../../client/rules/time.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import { dropEvents } from "../webhook/drop-events.ts";
import { enqueueEvent } from "../webhook/enqueue-event.ts";
import { findAllOfAddress, type Subscription } from "./find-subscription.ts";
import { registerDeadline } from "./iys.ts";

interface ErasedSubscriptions {
  subscriptions: number;
  /** Consents and ends of consents that are kept until the register is told of them. */
  keptForRegister: number;
  /** Subscriptions whose address is kept until the newsletter's receiver is told to erase it, too. */
  keptForReceiver: number;
}

/**
 * Removes the subscriptions of an address on every site, with their proof, vouchers and links, and the events that tell
 * of them.
 * @param hasReceiver - whether somebody is told of the newsletter's events
 * @returns how many there were, and how much is kept
 */
export async function eraseSubscriptions(
  transaction: StoreTransaction,
  email: string,
  at: Moment,
  hasReceiver: boolean,
): Promise<ErasedSubscriptions> {
  const subscriptions = await findAllOfAddress(transaction, email);
  let [keptForRegister, keptForReceiver] = [0, 0];
  for (const subscription of subscriptions) {
    keptForRegister += await keepForRegister(transaction, subscription, at);
    keptForReceiver += await keepForReceiver(transaction, subscription, at, hasReceiver);
    await transaction.deleteFrom("newsletterSubscription").where("id", "=", subscription.id).execute();
  }
  return { subscriptions: subscriptions.length, keptForRegister, keptForReceiver };
}

/**
 * Removes the events that wait, and keeps one where the receiver may know of the subscription: its address alone.
 * @returns how many are kept
 */
async function keepForReceiver(
  transaction: StoreTransaction,
  { id, site, email, confirmedAt }: Subscription,
  at: Moment,
  hasReceiver: boolean,
): Promise<number> {
  // It isn't sent while another one is under way, which would arrive after it.
  const from = await dropEvents(transaction, { email, site });
  if (!hasReceiver || confirmedAt === null) return 0;
  await enqueueEvent(transaction, {
    type: "erased",
    data: { id, site, email },
    at,
    ...(from !== undefined && { from }),
  });
  return 1;
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
