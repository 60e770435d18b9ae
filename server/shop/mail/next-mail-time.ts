import { day, type Moment, minute } from "../../../client/rules/time.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import { lockMailbox } from "./lock-mailbox.ts";
import { mailboxOf } from "./mailbox.ts";

/** Shortest time between two mails that anybody can ask for, so that nobody floods strangers' addresses. */
const pause = 15 * minute;
/** How many of these mails an address gets in a day. */
const perDay = 3;

/**
 * Tells when an address may get one more mail that anybody can ask for: now, or later. Until the transaction ends,
 * nobody else is told so.
 */
export async function nextMailTime(transaction: StoreTransaction, recipient: string, at: Moment): Promise<Moment> {
  const address = mailboxOf(recipient);
  await lockMailbox(transaction, address, at);
  const mails = await transaction
    .selectFrom("mailOutbox")
    .select("createdAt")
    .where("mailbox", "=", address)
    .where("kind", "in", ["confirm", "alreadySubscribed"])
    .orderBy("createdAt", "desc")
    .limit(perDay)
    .execute();
  const [last] = mails;
  const first = mails[perDay - 1];
  return Math.max(at, ...(last ? [last.createdAt + pause] : []), ...(first ? [first.createdAt + day] : []));
}
