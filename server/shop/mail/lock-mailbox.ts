import type { Moment } from "../../../client/rules/time.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";

/** Keeps everybody else from counting and queueing mails of a mailbox until the transaction ends. It always writes. */
export async function lockMailbox(transaction: StoreTransaction, address: string, at: Moment): Promise<void> {
  await transaction
    .insertInto("mailbox")
    .values({ address, askedAt: at })
    .onConflict((conflict) => conflict.column("address").doUpdateSet({ askedAt: at }))
    .execute();
}
