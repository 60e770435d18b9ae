import type { Transaction } from "kysely";
import { UnavailableError } from "../../errors.ts";
import { changeWhatMayBeLost } from "./may-be-lost.ts";
import type { Database } from "./open-store.ts";
import type { Tables } from "./tables.ts";

export type StoreTransaction = Transaction<Tables>;

/**
 * Does all of the work or nothing of it. What the work returns is durable when this resolves.
 * @throws UnavailableError when the store is full, locked, read-only or gone, or the work fails, with that as its cause
 */
export async function inTransaction<Result>(
  db: Database,
  work: (transaction: StoreTransaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction().execute(work);
  } catch (cause) {
    throw new UnavailableError("the store can't take the change", { cause });
  }
}

/**
 * Does all of the work or nothing of it, as `inTransaction` does, where what is counted may be lost in a power cut.
 * @throws UnavailableError as `inTransaction` does
 */
export function countInTransaction<Result>(
  db: Database,
  work: (transaction: StoreTransaction) => Promise<Result>,
): Promise<Result> {
  return changeWhatMayBeLost(() => inTransaction(db, work));
}
