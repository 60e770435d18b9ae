import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { Metrics } from "../../metrics.ts";
import { openSqliteDriver } from "./sqlite-driver.ts";

/**
 * Opens the dialect for SQLite, with the file in a folder.
 * @param waits - is told how long each change waited for its turn
 * @throws Error when the file can't be opened
 */
export async function openSqliteDialect(folder: string, waits?: Metrics["storeWaits"]): Promise<Dialect> {
  const driver = await openSqliteDriver(folder, waits);
  return {
    createAdapter: () => new ThreadAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class ThreadAdapter extends SqliteAdapter {
  /** Lets Kysely run statements side by side: the driver keeps the order that SQLite needs. */
  override get supportsMultipleConnections() {
    return true;
  }

  /** Lets migrations happen whole or not at all, as SQLite's DDL is transactional: https://sqlite.org/lang_transaction.html */
  override get supportsTransactionalDdl() {
    return true;
  }
}
