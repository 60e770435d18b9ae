import type { Transaction } from "kysely";
import { UnavailableError } from "../../errors.ts";
import { doneAgainWithin, isLostConnection } from "./lost-connection.ts";
import { changeWhatMayBeLost } from "./may-be-lost.ts";
import type { Database } from "./open-store.ts";
import type { Tables } from "./tables.ts";
import { tryAgain } from "./try-again.ts";

export type StoreTransaction = Transaction<Tables>;

/**
 * Does all of the work or nothing of it. What the work returns is durable when this resolves. It is done again where the
 * connection is lost before the commit, as when PostgreSQL is restarted.
 * @param work - what must bear to be done twice, beside the changes of the transaction
 * @throws UnavailableError when the store is full, locked, read-only or gone, or the work fails, with that as its cause
 */
export async function inTransaction<Result>(
  db: Database,
  work: (transaction: StoreTransaction) => Promise<Result>,
): Promise<Result> {
  let isCommitting = false;
  const tryIt = () =>
    db.transaction().execute(async (transaction) => {
      const result = await work(transaction);
      isCommitting = true;
      return result;
    });
  // Nobody knows what has become of a commit that got no answer (test/postgres/restart.test.ts).
  const passes = (error: unknown) => !isCommitting && isLostConnection(error);
  try {
    return await tryAgain(tryIt, { passes, within: doneAgainWithin });
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
