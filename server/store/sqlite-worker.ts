/**
 * The thread that runs SQLite, so that neither a slow disk nor a long statement blocks the event loop. It gets the file
 * as its worker data, and replies to each statement that is posted to it.
 */
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { type Milliseconds, second } from "../../client/rules/time.ts";

/** A statement, and the connection that runs it. The reading connection sees only committed data. */
export interface StatementRequest {
  connection: "reading" | "writing";
  sql: string;
  parameters: readonly SQLInputValue[];
}

/** Replies come in the order of the requests. */
export interface StatementReply {
  rows?: unknown[];
  changes?: number | bigint;
  /** The parts of an error, whose own fields would be lost between threads. */
  fault?: { message: string; code: unknown; errcode: unknown };
}

/** How long opening waits for another process that opens or closes the file. */
const busyTimeout: Milliseconds = 5 * second;

const connections = open(String(workerData));

interface Prepared {
  statement: StatementSync;
  hasRows: boolean;
}

/**
 * The statements that were used last. Preparing one takes longer than running it on a few rows. A batch of another size
 * is another statement, so there are more than the service has queries.
 */
const prepared = {
  reading: new LRUCache<string, Prepared>({ max: 100 }),
  writing: new LRUCache<string, Prepared>({ max: 400 }),
};

parentPort?.on("message", (request: StatementRequest | "close") => {
  if (request === "close") close();
  else parentPort?.postMessage(reply(request));
});
parentPort?.postMessage("open");

function close(): void {
  connections.reading.close();
  connections.writing.close();
  parentPort?.close();
}

function reply({ connection, sql, parameters }: StatementRequest): StatementReply {
  const database = connections[connection];
  // Some errors, such as a full disk, have already ended the transaction: https://sqlite.org/lang_transaction.html
  if (sql === "ROLLBACK" && !database.isTransaction) return {};
  try {
    const { statement, hasRows } = prepared[connection].get(sql) ?? prepare(connection, sql);
    if (hasRows) return { rows: statement.all(...parameters) };
    return { changes: statement.run(...parameters).changes };
  } catch (error) {
    const { message, code, errcode } = Object(error);
    return { fault: { message, code, errcode } };
  }
}

function prepare(connection: StatementRequest["connection"], sql: string): Prepared {
  const statement = connections[connection].prepare(sql);
  const added = { statement, hasRows: statement.columns().length > 0 };
  prepared[connection].set(sql, added);
  return added;
}

/**
 * Opens the database, which only its user can read. Creates it with its folder if missing. Each commit is synced to the
 * disk (https://sqlite.org/pragma.html#pragma_synchronous), and deleted rows are overwritten
 * (https://sqlite.org/pragma.html#pragma_secure_delete).
 */
function open(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // SQLite gives the files beside it the same mode. An existing file isn't opened here, because closing it would
  // release the locks of this process's other connections:
  // https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  const writing = new DatabaseSync(file, { timeout: busyTimeout, enableForeignKeyConstraints: true });
  writing.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
  // The service empties the WAL every few seconds. With the default of 1,000 pages, commits would do it, too, and
  // sign-ups would spend a quarter of this thread's time on rewriting the same index pages.
  writing.exec("PRAGMA wal_autocheckpoint = 10000");
  const reading = new DatabaseSync(file, { timeout: busyTimeout, readOnly: true });
  // From here on the driver waits for other processes. Waiting here would block reads, too.
  writing.exec("PRAGMA busy_timeout = 0");
  return { writing, reading };
}
