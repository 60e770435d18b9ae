import type { Transaction } from "kysely";
import { UnavailableError } from "../platform/errors.ts";
import type { Database } from "./open-store.ts";
import { isConnectionLost, retry } from "./postgres-pool.ts";
import type { Tables } from "./tables.ts";

export type StoreTransaction = Transaction<Tables>;

/**
 * Does all of the work or nothing. Its changes are durable when this resolves. The transaction is retried when the
 * connection is lost before the commit, as during a restart of PostgreSQL, so the work must tolerate being repeated.
 * @throws UnavailableError, with the error as its cause, when the database can't be written or the work fails
 */
export async function inTransaction<Result>(
  db: Database,
  work: (transaction: StoreTransaction) => Promise<Result>,
): Promise<Result> {
  let isCommitting = false;
  const attempt = () =>
    db.transaction().execute(async (transaction) => {
      const result = await work(transaction);
      isCommitting = true;
      return result;
    });
  // A commit that got no answer may have succeeded.
  const isTransient = (error: unknown) => !isCommitting && isConnectionLost(error);
  try {
    return await retry(attempt, isTransient);
  } catch (cause) {
    throw new UnavailableError("the database can't be written", { cause });
  }
}
