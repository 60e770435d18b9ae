import { addressIs } from "../store/address-is.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import { mailboxOf } from "./mailbox.ts";

/** Removes the mails to an address from the outbox, and returns how many there were. */
export async function eraseMails(transaction: StoreTransaction, email: string): Promise<number> {
  await transaction
    .deleteFrom("mailbox")
    .where("address", "in", [mailboxOf(email), email.toLowerCase()])
    .execute();
  const { numDeletedRows } = await transaction
    .deleteFrom("mailOutbox")
    .where(addressIs("recipient", email))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
