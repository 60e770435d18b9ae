import { sql } from "kysely";
import type { StoreTransaction } from "./in-transaction.ts";

/**
 * Does some work of a transaction, and undoes it unless it is to be kept. The store gets as many statements in either
 * case, so that the time of an answer doesn't tell which it was, however slow the store is.
 */
export async function keepIf(transaction: StoreTransaction, isKept: boolean, work: () => Promise<void>): Promise<void> {
  await sql`savepoint before_work`.execute(transaction);
  await work();
  const end = isKept ? sql`release savepoint before_work` : sql`rollback to savepoint before_work`;
  await end.execute(transaction);
}
