import { DatabaseSync } from "node:sqlite";

/** https://sqlite.org/rescode.html#busy */
const busy = 5;

/**
 * Tells whether another process has a file of SQLite open. It writes what is in the log beside the file into the file:
 * SQLite gives the log up only where nobody else has the file open, whether or not they do anything with it
 * (https://sqlite.org/wal.html#persistence_of_wal_mode). A file that SQLite can't read counts as not in use.
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
