import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode } from "kysely";
import { type Milliseconds, second } from "../../../client/rules/time.ts";
import { UnavailableError } from "../../errors.ts";
import type { Metrics } from "../../metrics.ts";
import { mayBeLost } from "./may-be-lost.ts";
import { shareRuns } from "./share-runs.ts";
import { sqliteFile } from "./sqlite-file.ts";
import { type SqliteThread, startSqliteThread } from "./sqlite-thread.ts";
import { createTurns } from "./turns.ts";

/** Longest wait of a change for those before it, in this process and in others. */
const longestWait: Milliseconds = 5 * second;
/** Time between two tries while another process has the file locked. */
const lockedPause: Milliseconds = 20;
/** What SQLite calls that: https://sqlite.org/rescode.html#busy */
const locked = 5;

/** Moves all that is in the log to the file, durably, and tells whether somebody kept it from that. */
export const emptyLog = CompiledQuery.raw("PRAGMA wal_checkpoint(TRUNCATE)");
const begin = CompiledQuery.raw("BEGIN IMMEDIATE");
const commit = CompiledQuery.raw("COMMIT");
const rollback = CompiledQuery.raw("ROLLBACK");

/**
 * Opens the file in the folder, in a thread.
 * @param waits - is told how long each change waited for its turn
 * @throws Error when it can't be opened
 */
export async function openSqliteDriver(folder: string, waits?: Metrics["storeWaits"]): Promise<Driver> {
  const thread = await startSqliteThread(folder);
  try {
    return new SqliteDriver(thread, await open(`${sqliteFile(folder)}-wal`, "r+"), waits);
  } catch (error) {
    await thread.close();
    throw error;
  }
}

/**
 * The driver of SQLite in a thread. Reads see what is committed, and wait for nobody. Changes take turns, as SQLite makes
 * one at a time. A change resolves once it is durable: SQLite writes what is committed to its log, and doesn't wait for
 * the disk. The driver does, for all together that were committed while the disk was busy, and keeps nobody's turn for it.
 *
 * The rest is SQLite's: it syncs a log that it begins with its folder, and log and file at a checkpoint
 * (https://sqlite.org/pragma.html#pragma_synchronous, NORMAL). The log is one file while SQLite has it open. To open and
 * close it ends no lock, as SQLite has none on it.
 */
class SqliteDriver implements Driver {
  readonly #thread: SqliteThread;
  readonly #log: FileHandle;
  readonly #waits: Metrics["storeWaits"] | undefined;
  readonly #turns = createTurns();
  readonly #sync = shareRuns(() => this.#syncLog());
  /** Whether the system may have given up what it couldn't write, which it says once: https://lwn.net/Articles/752063/ */
  #logHasHoles = false;
  /** The transaction under way: whose it is, and what ends its turn. */
  #transaction: { connection: DatabaseConnection; endTurn(): void } | undefined;

  constructor(thread: SqliteThread, log: FileHandle, waits: Metrics["storeWaits"] | undefined) {
    this.#thread = thread;
    this.#log = log;
    this.#waits = waits;
  }

  async init() {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection: DatabaseConnection = {
      executeQuery: (query) => this.#execute(connection, query),
      streamQuery() {
        throw new Error("the rows of a query come at once");
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

  /**
   * Keeps the error of a full disk, which ends the transaction by itself, as https://sqlite.org/lang_transaction.html
   * says (test/server/shop/newsletter/sqlite-faults.test.ts), and the error of a disk that doesn't take a commit.
   */
  async rollbackTransaction(connection: DatabaseConnection) {
    if (this.#transaction?.connection !== connection) return;
    try {
      if (this.#thread.inTransaction) await this.#thread.run("writing", rollback);
    } finally {
      this.#endTransaction();
    }
  }

  async destroy() {
    await this.#log.close();
    await this.#thread.close();
  }

  async #execute<Row>(connection: DatabaseConnection, query: CompiledQuery): Promise<QueryResult<Row>> {
    if (query === begin) return this.#begin(connection);
    if (query === commit) return this.#commit();
    if (this.#transaction?.connection === connection) return this.#thread.run("writing", query);
    if (SelectQueryNode.is(query.query)) return this.#thread.run("reading", query);
    const { result, endTurn } = await this.#runInTurn<Row>(query);
    endTurn();
    await this.#settle();
    return result;
  }

  /** Takes SQLite's lock at once: a transaction that reads first would fail when another process wrote in between. */
  async #begin<Row>(connection: DatabaseConnection): Promise<QueryResult<Row>> {
    const { result, endTurn } = await this.#runInTurn<Row>(begin);
    this.#transaction = { connection, endTurn };
    return result;
  }

  async #commit<Row>(): Promise<QueryResult<Row>> {
    const result = await this.#thread.run<Row>("writing", commit);
    this.#endTransaction();
    await this.#settle();
    return result;
  }

  /**
   * Waits for a turn, and runs a statement as soon as no other process has the file locked.
   * @throws UnavailableError when that takes too long
   */
  async #runInTurn<Row>(query: CompiledQuery) {
    const limit = performance.now() + longestWait;
    const endTurn = await this.#takeTurn();
    try {
      return { result: await this.#runUnlocked<Row>(query, limit), endTurn };
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  async #takeTurn() {
    const end = this.#waits?.startTimer();
    try {
      return await this.#turns.take(longestWait);
    } finally {
      end?.();
    }
  }

  async #runUnlocked<Row>(query: CompiledQuery, limit: number): Promise<QueryResult<Row>> {
    for (;;) {
      try {
        return await this.#thread.run("writing", query);
      } catch (cause) {
        if (!(cause instanceof Error && "errcode" in cause && cause.errcode === locked)) throw cause;
        if (performance.now() > limit) throw new UnavailableError("another process has the store", { cause });
      }
      await pause(lockedPause);
    }
  }

  #endTransaction() {
    this.#transaction?.endTurn();
    this.#transaction = undefined;
  }

  async #settle(): Promise<void> {
    if (!mayBeLost()) await this.#sync();
  }

  async #syncLog(): Promise<void> {
    try {
      // What follows a hole is lost with it, so that all must go to the file.
      await (this.#logHasHoles ? this.#leaveLog() : this.#log.datasync());
      this.#logHasHoles = false;
    } catch (error) {
      this.#logHasHoles = true;
      throw error;
    }
  }

  async #leaveLog(): Promise<void> {
    const { result, endTurn } = await this.#runInTurn<{ busy: number }>(emptyLog);
    endTurn();
    if (result.rows[0]?.busy !== 0) throw new UnavailableError("another process keeps the store from its repair");
  }
}
