import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** https://sqlite.org/rescode.html#busy */
const busy = 5;

/** Returns the path of the database in the data folder. */
export function sqliteFile(dataDir: string): string {
  return join(dataDir, "storefront.sqlite");
}

/**
 * Whether another process has a database open, idle or not. This writes the WAL back into the file, as SQLite gives up
 * WAL mode only for the last process: https://sqlite.org/wal.html#persistence_of_wal_mode. A file that SQLite can't read
 * counts as not in use.
 */
export function isSqliteInUse(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = DELETE");
    return false;
  } catch (error) {
    return error instanceof Error && "errcode" in error && error.errcode === busy;
  } finally {
    database.close();
  }
}

/** Lists the service's tables with their row counts, in the order of their creation: each follows those it refers to. */
export function countTables(database: DatabaseSync): { table: string; rows: number }[] {
  const tables = database
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like 'kysely%' order by rowid",
    )
    .all();
  return tables.map(({ name }) => ({
    table: String(name),
    rows: Number(database.prepare(`select count(*) as rows from "${name}"`).get()?.rows),
  }));
}
