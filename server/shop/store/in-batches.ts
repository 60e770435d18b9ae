import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "./open-store.ts";
import type { Tables } from "./tables.ts";

/** How many rows a step of housekeeping takes at most, so that nobody else waits for long until it is done. */
export const batch = 500;

/**
 * Repeats a step until there is no more to do. Whoever waits for the store gets it between two steps.
 * @param step - takes no more than a batch of rows, and tells how many it has taken
 */
export async function inBatches(step: () => Promise<number>): Promise<void> {
  while ((await step()) >= batch);
}

/**
 * Deletes rows, however many there are, in batches.
 * @param id - the column that tells one row from the others
 * @param isOver - the condition that they meet. It is checked again when a row is deleted, as that may have changed
 */
export function deleteInBatches<Table extends keyof Tables>(
  db: Database,
  table: Table,
  id: keyof Tables[Table] & string,
  isOver: RawBuilder<SqlBool>,
): Promise<void> {
  const [from, key] = [sql.table(table), sql.ref(id)];
  const found = sql`select ${key} from ${from} where ${isOver} limit ${batch}`;
  const deletion = sql`delete from ${from} where ${key} in (${found}) and ${isOver}`;
  return inBatches(async () => Number((await deletion.execute(db)).numAffectedRows));
}
