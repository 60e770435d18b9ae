import { once } from "node:events";
import { extname, join } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { Worker } from "node:worker_threads";
import type { QueryResult } from "kysely";
import { root } from "../../root.ts";
import type { Answer, Question } from "./sqlite-worker.ts";

/** What it takes to run a statement: SQL, and the values of its parameters. */
interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** SQLite in a thread of its own. Statements run in the order in which they are given. */
export interface SqliteThread {
  /** Whether the writing connection was in a transaction after its last statement. */
  readonly inTransaction: boolean;
  /** @throws Error with the code `ERR_SQLITE_ERROR` and SQLite's own `errcode`, when SQLite can't run the statement */
  run<Row>(connection: Question["connection"], statement: Statement): Promise<QueryResult<Row>>;
  close(): Promise<void>;
}

/**
 * Starts the thread. A fault that ends it later is nobody's to handle, and ends the process.
 * @throws Error when the file can't be opened
 */
export async function startSqliteThread(folder: string): Promise<SqliteThread> {
  // The sources run as they are, and the build has the worker beside the bundle.
  const file = join(root, `server/shop/store/sqlite-worker${extname(import.meta.filename)}`);
  const worker = new Worker(file, { workerData: folder, execArgv: [] });
  const waiting = new Map<number, (answer: Answer) => void>();
  let count = 0;
  let inTransaction = false;
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
      const { promise, resolve } = Promise.withResolvers<Answer>();
      const id = count++;
      waiting.set(id, resolve);
      worker.postMessage({ id, connection, sql, parameters: parameters as SQLInputValue[] } satisfies Question);
      const { rows, changes, fault } = await promise;
      if (fault) throw Object.assign(new Error(fault.message), fault);
      return { rows: rows as Row[], ...(changes !== undefined && { numAffectedRows: BigInt(changes) }) };
    },
    async close() {
      worker.postMessage("close");
      await once(worker, "exit");
    },
  };
}
