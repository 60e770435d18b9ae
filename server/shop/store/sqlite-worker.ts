/**
 * The thread in which SQLite works, so that neither a slow disk nor a long statement holds up the event loop. It is
 * given a folder, and answers each statement that is posted to it.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { type Milliseconds, second } from "../../../client/rules/time.ts";
import { sqliteFile } from "./sqlite-file.ts";

/** A statement, and which connection runs it. One that reads sees only what is committed. */
export interface Question {
  id: number;
  connection: "reading" | "writing";
  sql: string;
  parameters: readonly SQLInputValue[];
}

export interface Answer {
  id: number;
  rows: unknown[];
  changes: number | bigint | undefined;
  /** What went wrong. An error's own fields don't pass from thread to thread. */
  fault: { message: string; code: unknown; errcode: unknown } | undefined;
  /** Whether the writing connection is in a transaction. Some errors end one, such as that of a full disk. */
  inTransaction: boolean;
}

/** How long the opening waits for a process that is opening or closing the file. */
const busyTimeout: Milliseconds = 5 * second;

const connections = open(String(workerData));

parentPort?.on("message", (question: Question | "close") => {
  if (question === "close") close();
  else parentPort?.postMessage(answer(question));
});
parentPort?.postMessage("open");

function close(): void {
  connections.reading.close();
  connections.writing.close();
  parentPort?.close();
}

function answer({ id, connection, sql, parameters }: Question): Answer {
  try {
    const done = run(connections[connection], sql, parameters);
    return { id, ...done, fault: undefined, inTransaction: connections.writing.isTransaction };
  } catch (error) {
    const { message, code, errcode } = Object(error);
    const { isTransaction: inTransaction } = connections.writing;
    return { id, rows: [], changes: undefined, fault: { message, code, errcode }, inTransaction };
  }
}

function run(database: DatabaseSync, sql: string, parameters: readonly SQLInputValue[]) {
  const statement = database.prepare(sql);
  if (statement.columns().length > 0) return { rows: statement.all(...parameters), changes: undefined };
  return { rows: [], changes: statement.run(...parameters).changes };
}

/**
 * Opens the file in the folder, which is created where it is missing, for its own user alone. What is deleted is
 * overwritten: https://sqlite.org/pragma.html#pragma_secure_delete. A commit writes to the log and doesn't wait for the
 * disk; sqlite-driver.ts does: https://sqlite.org/pragma.html#pragma_synchronous.
 */
function open(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = sqliteFile(folder);
  keepPrivate(file);
  const writing = new DatabaseSync(file, { timeout: busyTimeout, enableForeignKeyConstraints: true });
  writing.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
  // sqlite-log.ts empties the log every few seconds. In between, a commit needn't: with the default of 1,000 pages, sign-ups
  // spent a quarter of this thread's time on writing the same pages of indexes to the file again (npm run bench -- sign-ups).
  writing.exec("PRAGMA wal_autocheckpoint = 10000");
  // It opens the log, as it reads.
  writing.exec("SELECT 1 FROM sqlite_schema");
  const reading = new DatabaseSync(file, { timeout: busyTimeout, readOnly: true });
  // From here on the driver waits for other processes, as this thread would keep all others waiting with it.
  writing.exec("PRAGMA busy_timeout = 0");
  return { writing, reading };
}

/**
 * Lets nobody else read the files, which earlier releases made readable. SQLite gives new ones the mode of the first. A
 * file that is there isn't opened, as closing it would end the locks of this process's other connections to it:
 * https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
function keepPrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  for (const name of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(name)) chmodSync(name, 0o600);
}
