import { type SqlBool, sql } from "kysely";
import type { Moment } from "../../../client/rules/time.ts";
import { deleteInBatches } from "../store/in-batches.ts";
import type { Database } from "../store/open-store.ts";
import { removeOldTokenKeys } from "./token-keys.ts";

/**
 * Removes what is over at a time: sessions of customers and staff, tries of passwords, budgets of networks, and keys with
 * which nothing that is still good was signed.
 */
export async function keepSignIns(db: Database, at: Moment): Promise<void> {
  const isOver = sql<SqlBool>`${sql.ref("expiresAt")} <= ${at}`;
  await deleteInBatches(db, "loginSession", "id", isOver);
  await deleteInBatches(db, "staffSession", "id", isOver);
  await deleteInBatches(db, "loginThrottle", "key", isOver);
  await deleteInBatches(db, "rateLimit", "key", isOver);
  await removeOldTokenKeys(db, at);
}
