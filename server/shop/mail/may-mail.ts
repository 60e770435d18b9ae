import type { StoreTransaction } from "../store/in-transaction.ts";
import { mailboxOf } from "./mailbox.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

/** Against lists of strangers' addresses: a mailbox gets one mail that anybody can ask for in this time, in milliseconds… */
const pause = 15 * minute;
/** …and so many in a day. */
const perDay = 3;

/**
 * Tells whether a mailbox may get a mail that anybody can ask for. Until the transaction ends, nobody else is told so.
 * Writes in any case: how long it takes says nothing about the mailbox.
 */
export async function mayMail(transaction: StoreTransaction, recipient: string, at: number): Promise<boolean> {
  const address = mailboxOf(recipient);
  await transaction
    .insertInto("mailbox")
    .values({ address, askedAt: at })
    .onConflict((conflict) => conflict.column("address").doUpdateSet({ askedAt: at }))
    .execute();
  const mails = await transaction
    .selectFrom("mailOutbox")
    .select("createdAt")
    .where("mailbox", "=", address)
    .where("kind", "in", ["confirm", "alreadySubscribed"])
    .where("createdAt", ">", at - day)
    .orderBy("createdAt", "desc")
    .limit(perDay)
    .execute();
  const [last] = mails;
  return mails.length < perDay && (!last || last.createdAt <= at - pause);
}
