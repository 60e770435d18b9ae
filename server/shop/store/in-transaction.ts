import type { Transaction } from "kysely";
import { UnavailableError } from "../../errors.ts";
import { doneAgainWithin, isLostConnection } from "./lost-connection.ts";
import { changeWhatMayBeLost } from "./may-be-lost.ts";
import type { Database } from "./open-store.ts";
import type { Tables } from "./tables.ts";

export type StoreTransaction = Transaction<Tables>;

/**
 * Does all of the work or nothing of it. What the work returns is durable when this resolves. It is done again where the
 * connection is lost before anything could be kept, as it is when PostgreSQL is restarted.
 * @throws UnavailableError when the store is full, locked, read-only or gone, or the work fails, with that as its cause
 */
export async function inTransaction<Result>(
  db: Database,
  work: (transaction: StoreTransaction) => Promise<Result>,
): Promise<Result> {
  const begun = performance.now();
  let mayBeKept = false;
  const tryIt = () =>
    db.transaction().execute(async (transaction) => {
      const result = await work(transaction);
      mayBeKept = true;
      return result;
    });
  try {
    return await tryIt().catch((error) => {
      if (mayBeKept || !isLostConnection(error) || performance.now() - begun > doneAgainWithin) throw error;
      return tryIt();
    });
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
