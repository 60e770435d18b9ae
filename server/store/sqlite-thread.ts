import { once } from "node:events";
import { extname, join } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { Worker } from "node:worker_threads";
import type { QueryResult } from "kysely";
import { root } from "../platform/paths.ts";
import type { Answer, Question } from "./sqlite-worker.ts";

interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** SQLite in a thread of its own, which runs statements in order. */
export interface SqliteThread {
  /** Whether the writing connection was in a transaction after its last statement. */
  readonly inTransaction: boolean;
  /** @throws Error with the code `ERR_SQLITE_ERROR` and SQLite's `errcode`, or without a code once it is closed */
  run<Row>(connection: Question["connection"], statement: Statement): Promise<QueryResult<Row>>;
  close(): Promise<void>;
}

/**
 * Starts the thread. A later crash of the thread ends the process.
 * @throws Error when the file can't be opened
 */
export async function startSqliteThread(folder: string): Promise<SqliteThread> {
  // The sources run as they are, and the build has the worker beside the bundle.
  const file = join(root, `server/store/sqlite-worker${extname(import.meta.filename)}`);
  const worker = new Worker(file, { workerData: folder, execArgv: [] });
  const waiting = new Map<number, (answer: Answer) => void>();
  let count = 0;
  let inTransaction = false;
  let isClosed = false;
  await once(worker, "message");
  worker.on("message", (answer: Answer) => {
    inTransaction = answer.inTransaction;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });

  return {
    get inTransaction() {
      return inTransaction;
    },
    async run<Row>(connection: Question["connection"], { sql, parameters }: Statement) {
      // The rest of a request that the shutdown has cut off.
      if (isClosed) throw new Error("the database is closed");
      const { promise, resolve } = Promise.withResolvers<Answer>();
      const id = count++;
      waiting.set(id, resolve);
      worker.postMessage({ id, connection, sql, parameters: parameters as SQLInputValue[] } satisfies Question);
      const { rows, changes, fault } = await promise;
      if (fault) throw Object.assign(new Error(fault.message), fault);
      return { rows: rows as Row[], ...(changes !== undefined && { numAffectedRows: BigInt(changes) }) };
    },
    async close() {
      isClosed = true;
      worker.postMessage("close");
      await once(worker, "exit");
    },
  };
}
