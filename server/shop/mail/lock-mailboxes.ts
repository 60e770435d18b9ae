import type { Moment } from "../../../client/rules/time.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";

/**
 * Keeps everybody else from counting and queueing mails of mailboxes until the transaction ends. It always writes. All
 * lock them in the same order, so that two transactions don't wait for each other.
 */
export async function lockMailboxes(
  transaction: StoreTransaction,
  addresses: ReadonlySet<string>,
  at: Moment,
): Promise<void> {
  await transaction
    .insertInto("mailbox")
    .values([...addresses].sort().map((address) => ({ address, askedAt: at })))
    .onConflict((conflict) => conflict.column("address").doUpdateSet({ askedAt: at }))
    .execute();
}
