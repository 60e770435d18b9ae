import { day, type Moment, minute } from "../../../client/rules/time.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import { lockMailboxes } from "./lock-mailboxes.ts";
import { mailboxOf } from "./mailbox.ts";

/** Shortest time between two mails that anybody can ask for, so that nobody floods strangers' addresses. */
const pause = 15 * minute;
/** How many of these mails an address gets in a day. */
const perDay = 3;

/**
 * Finds out when addresses may get one more mail that anybody can ask for: now, or later. Until the transaction ends,
 * nobody else is told so.
 * @returns what gives the moment of each address
 */
export async function nextMailTimes(
  transaction: StoreTransaction,
  recipients: readonly string[],
  at: Moment,
): Promise<(recipient: string) => Moment> {
  const mailboxes = new Set(recipients.map(mailboxOf));
  await lockMailboxes(transaction, mailboxes, at);
  // What is older puts no mail off.
  const mails = await transaction
    .selectFrom("mailOutbox")
    .select(["mailbox", "createdAt"])
    .where("mailbox", "in", [...mailboxes])
    .where("kind", "in", ["confirm", "alreadySubscribed"])
    .where("createdAt", ">", at - day)
    .orderBy("createdAt", "desc")
    .execute();
  const mailsOf = Map.groupBy(mails, ({ mailbox }) => mailbox);
  return (recipient) => {
    const sent = mailsOf.get(mailboxOf(recipient)) ?? [];
    const [last] = sent;
    const first = sent[perDay - 1];
    return Math.max(at, ...(last ? [last.createdAt + pause] : []), ...(first ? [first.createdAt + day] : []));
  };
}
