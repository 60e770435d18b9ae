import { setTimeout as pause } from "node:timers/promises";
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
import { StartError, UnavailableError } from "../platform/errors.ts";
import type { Metrics } from "../platform/metrics.ts";
import { type SqliteThread, startSqliteThread } from "./sqlite-thread.ts";
import type { Tables } from "./tables.ts";

/** The longest a change waits for those before it, in this process and in others. */
const longestWait: Milliseconds = 5 * second;
/** Pause between two attempts while another process has the file locked. */
const lockedPause: Milliseconds = 20;
/** The error code of a locked file: https://sqlite.org/rescode.html#busy */
const locked = 5;
/** Interval between two checkpoints, which end what the WAL holds of deleted rows, such as the tokens of a sent mail. */
const checkpointInterval: Milliseconds = 5 * second;
/** The longest a command tries to empty the WAL, and the pause between two attempts. */
const longestCheckpoint: Milliseconds = 5 * second;
const checkpointPause: Milliseconds = 50;

const checkpoint = CompiledQuery.raw("PRAGMA wal_checkpoint(TRUNCATE)");
const begin = CompiledQuery.raw("BEGIN IMMEDIATE");
const commit = CompiledQuery.raw("COMMIT");
const rollback = CompiledQuery.raw("ROLLBACK");

/**
 * Opens the SQLite database in a folder.
 * @param waits - measures how long each change waited for its turn
 * @throws Error when the file can't be opened
 */
export async function openSqliteDialect(folder: string, waits?: Metrics["storeWaits"]): Promise<Dialect> {
  const driver = new SqliteDriver(await startSqliteThread(folder), waits);
  return {
    createAdapter: () => new ThreadAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class ThreadAdapter extends SqliteAdapter {
  /** Lets Kysely run statements concurrently; the driver orders them. */
  override get supportsMultipleConnections() {
    return true;
  }

  /** Makes migrations atomic, as SQLite's DDL is transactional: https://sqlite.org/lang_transaction.html */
  override get supportsTransactionalDdl() {
    return true;
  }
}

/**
 * The driver of SQLite in a thread. Reads see what is committed. Changes take turns, as SQLite makes one at a time, and
 * each is durable when it resolves.
 */
class SqliteDriver implements Driver {
  readonly #thread: SqliteThread;
  readonly #waits: Metrics["storeWaits"] | undefined;
  readonly #mutex = createMutex();
  /** The transaction under way. */
  #transaction: { connection: DatabaseConnection; unlock(): void } | undefined;

  constructor(thread: SqliteThread, waits: Metrics["storeWaits"] | undefined) {
    this.#thread = thread;
    this.#waits = waits;
  }

  async init() {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection: DatabaseConnection = {
      executeQuery: (query) => this.#execute(connection, query),
      streamQuery() {
        throw new Error("SQLite rows can't be streamed");
      },
    };
    return connection;
  }

  async releaseConnection() {}

  // Both go through the connection, as Kysely times and counts the statements of connections.
  async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(begin);
  }

  async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(commit);
  }

  /** Some errors, such as a full disk, have ended the transaction: https://sqlite.org/lang_transaction.html */
  async rollbackTransaction(connection: DatabaseConnection) {
    if (this.#transaction?.connection !== connection) return;
    try {
      if (this.#thread.inTransaction) await this.#thread.run("writing", rollback);
    } finally {
      this.#endTransaction();
    }
  }

  async destroy() {
    await this.#thread.close();
  }

  async #execute<Row>(connection: DatabaseConnection, query: CompiledQuery): Promise<QueryResult<Row>> {
    if (query === begin) return this.#begin(connection);
    if (query === commit) return this.#commit();
    if (this.#transaction?.connection === connection) return this.#thread.run("writing", query);
    if (SelectQueryNode.is(query.query)) return this.#thread.run("reading", query);
    const { result, unlock } = await this.#runLocked<Row>(query);
    unlock();
    return result;
  }

  /** Takes SQLite's lock at once: a transaction that reads first would fail when another process writes in between. */
  async #begin<Row>(connection: DatabaseConnection): Promise<QueryResult<Row>> {
    const { result, unlock } = await this.#runLocked<Row>(begin);
    this.#transaction = { connection, unlock };
    return result;
  }

  async #commit<Row>(): Promise<QueryResult<Row>> {
    const result = await this.#thread.run<Row>("writing", commit);
    this.#endTransaction();
    return result;
  }

  #endTransaction() {
    this.#transaction?.unlock();
    this.#transaction = undefined;
  }

  /**
   * Runs a statement when no other change is under way, in this process or in others.
   * @returns `unlock` lets the next change begin
   * @throws UnavailableError when that takes too long
   */
  async #runLocked<Row>(query: CompiledQuery) {
    const limit = performance.now() + longestWait;
    const unlock = await this.#lock();
    try {
      return { result: await this.#runWhenFree<Row>(query, limit), unlock };
    } catch (error) {
      unlock();
      throw error;
    }
  }

  async #lock() {
    const stopTimer = this.#waits?.startTimer();
    try {
      return await this.#mutex.lock(longestWait);
    } finally {
      stopTimer?.();
    }
  }

  async #runWhenFree<Row>(query: CompiledQuery, limit: number): Promise<QueryResult<Row>> {
    for (;;) {
      try {
        return await this.#thread.run("writing", query);
      } catch (cause) {
        if (!(cause instanceof Error && "errcode" in cause && cause.errcode === locked)) throw cause;
        if (performance.now() > limit) throw new UnavailableError("another process has the database locked", { cause });
      }
      await pause(lockedPause);
    }
  }
}

/** A mutex: holders follow each other in the order in which they asked. */
function createMutex() {
  let last = Promise.resolve();
  return {
    /**
     * @returns the function that unlocks the mutex
     * @throws UnavailableError when it stays locked for longer than the limit
     */
    async lock(limit: Milliseconds): Promise<() => void> {
      const { promise, resolve: unlock } = Promise.withResolvers<void>();
      const before = last;
      last = before.then(() => promise);
      const { promise: timeout, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(new UnavailableError("the database is overloaded")), limit);
      try {
        await Promise.race([before, timeout]);
      } catch (error) {
        unlock();
        throw error;
      } finally {
        clearTimeout(timer);
      }
      return unlock;
    },
  };
}

/** Empties the WAL at intervals: deleted rows are overwritten in the database file, but not in the WAL. */
export function emptyWalRegularly(db: Kysely<Tables>): NodeJS.Timeout {
  // A fault that lasts also fails changes, which report it.
  return setInterval(() => void tryEmptyWal(db).catch(() => undefined), checkpointInterval).unref();
}

/**
 * Empties the WAL now.
 * @throws StartError when another process keeps it in use
 */
export async function emptyWal(db: Kysely<Tables>): Promise<void> {
  const limit = performance.now() + longestCheckpoint;
  while (!(await tryEmptyWal(db))) {
    if (performance.now() > limit)
      throw new StartError(["store: the WAL still holds what was deleted, as another process uses it; try again"]);
    await pause(checkpointPause);
  }
}

/** @returns whether the WAL is empty: another process may be using it */
async function tryEmptyWal(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await db.executeQuery<{ busy: number }>(checkpoint);
  return rows[0]?.busy === 0;
}
