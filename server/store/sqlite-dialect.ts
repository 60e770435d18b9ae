import { once } from "node:events";
import { extname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { UnavailableError } from "../platform/errors.ts";
import type { Metrics } from "../platform/metrics.ts";
import { root } from "../platform/paths.ts";
import type { StatementReply, StatementRequest } from "./sqlite-worker.ts";
import type { Tables } from "./tables.ts";

/** The maximum time that a change waits for earlier ones, in this process and in others. */
const longestWait: Milliseconds = 5 * second;
/** The pause between two attempts while another process has the file locked. */
const lockedPause: Milliseconds = 20;
/** The error code of a locked file: https://sqlite.org/rescode.html#busy */
const locked = 5;

const checkpoint = CompiledQuery.raw("PRAGMA wal_checkpoint(TRUNCATE)");
const begin = CompiledQuery.raw("BEGIN IMMEDIATE");
const commit = CompiledQuery.raw("COMMIT");
const rollback = CompiledQuery.raw("ROLLBACK");

/** Returns the path of the database in the data folder. */
export function sqliteFile(dataDir: string): string {
  return join(dataDir, "storefront.sqlite");
}

/**
 * Opens the SQLite database in a folder, in a thread of its own. A later crash of the thread ends the process.
 * @param waits - measures how long each change waited for its turn
 * @throws Error if the file can't be opened
 */
export async function openSqliteDialect(folder: string, waits?: Metrics["storeWaits"]): Promise<Dialect> {
  // The sources run as they are. In the build, the worker is beside the bundle.
  const program = join(root, `server/store/sqlite-worker${extname(import.meta.filename)}`);
  const worker = new Worker(program, { workerData: sqliteFile(folder), execArgv: [] });
  await once(worker, "message");
  return {
    createAdapter: () => new ThreadAdapter(),
    createDriver: () => new SqliteDriver(worker, waits),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class ThreadAdapter extends SqliteAdapter {
  /** Allows Kysely to run statements concurrently. The driver orders them. */
  override get supportsMultipleConnections() {
    return true;
  }

  /** Makes migrations atomic, because SQLite's DDL is transactional: https://sqlite.org/lang_transaction.html */
  override get supportsTransactionalDdl() {
    return true;
  }
}

/** A statement or a transaction. */
interface SqliteConnection extends DatabaseConnection {
  /** Ends the turn that the connection has taken for its changes. */
  endTurn?(): void;
}

/**
 * The driver of SQLite in a thread, which runs statements in order. Reads see committed data. Changes take turns,
 * because SQLite allows one at a time, and each is durable when it resolves.
 */
class SqliteDriver implements Driver {
  readonly #worker: Worker;
  readonly #waits: Metrics["storeWaits"] | undefined;
  /** The statements that wait for the thread's replies, which come in order. */
  readonly #waiting: PromiseWithResolvers<StatementReply>[] = [];
  #hasExited = false;
  /** Resolves when the last waiting change has ended its turn. */
  #lastTurn = Promise.resolve();

  constructor(worker: Worker, waits: Metrics["storeWaits"] | undefined) {
    this.#worker = worker.on("message", (reply: StatementReply) => this.#waiting.shift()?.resolve(reply));
    // The thread doesn't answer statements that arrive after it was closed, such as the rest of a transaction.
    worker.once("exit", () => {
      this.#hasExited = true;
      for (const { reject } of this.#waiting.splice(0)) reject(new UnavailableError("the database is closed"));
    });
    this.#waits = waits;
  }

  async init() {}

  async acquireConnection(): Promise<SqliteConnection> {
    const connection: SqliteConnection = {
      executeQuery: (query) => this.#execute(connection, query),
      streamQuery() {
        throw new Error("SQLite rows can't be streamed");
      },
    };
    return connection;
  }

  async releaseConnection({ endTurn }: SqliteConnection) {
    endTurn?.();
  }

  // Begin and commit go through the connection, because Kysely times and counts the statements of connections.
  async beginTransaction(connection: SqliteConnection) {
    await connection.executeQuery(begin);
  }

  async commitTransaction(connection: SqliteConnection) {
    await connection.executeQuery(commit);
  }

  async rollbackTransaction(connection: SqliteConnection) {
    if (connection.endTurn) await this.#run("writing", rollback);
  }

  async destroy() {
    this.#worker.postMessage("close");
    await once(this.#worker, "exit");
  }

  async #execute<Row>(connection: SqliteConnection, query: CompiledQuery): Promise<QueryResult<Row>> {
    if (connection.endTurn) return this.#run("writing", query);
    if (SelectQueryNode.is(query.query)) return this.#run("reading", query);
    const limit = performance.now() + longestWait;
    connection.endTurn = await this.#takeTurn();
    return this.#runWhenFree(query, limit);
  }

  /**
   * Waits until earlier changes have ended.
   * @returns the function that ends the turn
   * @throws UnavailableError if that takes too long
   */
  async #takeTurn(): Promise<() => void> {
    const stopTimer = this.#waits?.startTimer();
    const { promise: end, resolve: endTurn } = Promise.withResolvers<void>();
    const before = this.#lastTurn;
    this.#lastTurn = before.then(() => end);
    const tooLate = Promise.withResolvers<false>();
    // For each change, an aborted signal would cost ten times as much as a cleared timer.
    const timer = setTimeout(tooLate.resolve, longestWait, false);
    const isFree = await Promise.race([before.then(() => true), tooLate.promise]);
    clearTimeout(timer);
    stopTimer?.();
    if (isFree) return endTurn;
    endTurn();
    throw new UnavailableError("the database is overloaded");
  }

  /** Runs a change as soon as no other process is making one. */
  async #runWhenFree<Row>(query: CompiledQuery, limit: number): Promise<QueryResult<Row>> {
    for (;;) {
      try {
        return await this.#run("writing", query);
      } catch (cause) {
        if (!(cause instanceof Error && "errcode" in cause && cause.errcode === locked)) throw cause;
        if (performance.now() > limit) throw new UnavailableError("another process has the database locked", { cause });
      }
      await pause(lockedPause);
    }
  }

  /**
   * @throws Error with the code `ERR_SQLITE_ERROR` and SQLite's `errcode`
   * @throws UnavailableError if the database is closed before it has replied
   */
  async #run<Row>(
    connection: StatementRequest["connection"],
    { sql, parameters }: CompiledQuery,
  ): Promise<QueryResult<Row>> {
    if (this.#hasExited) throw new UnavailableError("the database is closed");
    const reply = Promise.withResolvers<StatementReply>();
    this.#waiting.push(reply);
    this.#worker.postMessage({
      connection,
      sql,
      parameters: parameters as StatementRequest["parameters"],
    } satisfies StatementRequest);
    const { rows = [], changes, fault } = await reply.promise;
    if (fault) throw Object.assign(new Error(fault.message), fault);
    return { rows: rows as Row[], ...(changes !== undefined && { numAffectedRows: BigInt(changes) }) };
  }
}

/**
 * Empties the WAL. Deleted rows are overwritten in the database file, but not in the WAL.
 * @returns whether it is now empty: another process may be using it
 */
export async function emptyWal(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await db.executeQuery<{ busy: number }>(checkpoint);
  return rows[0]?.busy === 0;
}
