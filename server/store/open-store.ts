import { setTimeout as pause } from "node:timers/promises";
import { CamelCasePlugin, type Dialect, Kysely, type Transaction } from "kysely";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { StartError, UnavailableError } from "../platform/errors.ts";
import { createHealthLog, type HealthLog } from "../platform/health-log.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { migrate } from "./migrate.ts";
import { isConnectionLost, retry } from "./postgres-pool.ts";
import { emptyWal, openSqliteDialect } from "./sqlite-dialect.ts";
import { databaseNow } from "./store-health.ts";
import type { Tables } from "./tables.ts";

/**
 * The interval between two checkpoints. A checkpoint removes deleted rows from the WAL, such as the tokens of a sent
 * email.
 */
const checkpointInterval: Milliseconds = 5 * second;
/** The maximum time that a command tries to empty the WAL, and the pause between two attempts. */
const longestCheckpoint: Milliseconds = 5 * second;
const checkpointPause: Milliseconds = 50;

export type Database = Kysely<Tables>;

export interface Store {
  db: Database;
  /**
   * Erases deleted rows that SQLite's files still contain. PostgreSQL takes care of its own files.
   * @throws StartError if another process prevents it
   */
  eraseDeletedRows(): Promise<void>;
  close(): Promise<void>;
}

interface StoreOptions {
  /** Folder of the SQLite file. */
  dataDir: string;
  /** The URL of a PostgreSQL database. Without one, SQLite is used. */
  databaseUrl: string | undefined;
  logger: Logger;
  /** Removes the time limits of statements: requests need them, operators don't. */
  noTimeouts?: boolean;
  /** Undefined in commands, whose metrics nobody reads. */
  metrics?: Metrics;
}

/**
 * Opens the database and migrates its tables. Several replicas may do this at once.
 * @throws StartError if the database can't be opened, reached or migrated
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, dataDir } = options;
  try {
    return databaseUrl ? await openPostgres(databaseUrl, options) : await openSqlite(options);
  } catch (error) {
    const place = databaseUrl ? `PostgreSQL at ${new URL(databaseUrl).host}` : `SQLite in ${dataDir}`;
    throw new StartError([`store: can't open ${place} (${reasonFor(error)})`]);
  }
}

async function openPostgres(url: string, { logger, noTimeouts, metrics }: StoreOptions): Promise<Store> {
  const { createPostgresDialect, createDialectWithoutTimeouts } = await import("./postgres-dialect.ts");
  let db = await openMigrated(createDialectWithoutTimeouts(url), metrics);
  if (!noTimeouts) {
    await db.destroy();
    const health = createStoreHealthLog(logger);
    db = open(createPostgresDialect(url, metrics?.storeWaits, health), metrics, health);
    // A pooler may refuse connections with limits.
    await databaseNow(db);
  }
  return { db, eraseDeletedRows: async () => undefined, close: () => db.destroy() };
}

async function openSqlite({ dataDir, logger, noTimeouts, metrics }: StoreOptions): Promise<Store> {
  const health = noTimeouts ? undefined : createStoreHealthLog(logger);
  const db = await openMigrated(await openSqliteDialect(dataDir, metrics?.storeWaits), metrics, health);
  // A lasting fault also fails changes, which report it.
  const timer = setInterval(() => void emptyWal(db).catch(() => undefined), checkpointInterval).unref();
  return {
    db,
    async eraseDeletedRows() {
      for (const start = performance.now(); !(await emptyWal(db)); await pause(checkpointPause))
        if (performance.now() - start > longestCheckpoint)
          throw new StartError(["store: the WAL still holds what was deleted, as another process uses it; try again"]);
    },
    async close() {
      clearInterval(timer);
      await db.destroy();
    },
  };
}

/** Only for the service: a command reports its own failures. */
function createStoreHealthLog(logger: Logger): HealthLog {
  return createHealthLog(logger, { down: "database statement failed", up: "database recovered" });
}

function open(dialect: Dialect, metrics?: Metrics, health?: HealthLog): Database {
  /** Operations that failed last time. On a read-only disk every SELECT succeeds, which is no recovery. */
  const failing = new Set<string>();
  return new Kysely({
    dialect,
    plugins: [new CamelCasePlugin()],
    log(event) {
      const { query, queryDurationMillis } = event;
      const operation = operationOf(query.sql);
      metrics?.statements.observe({ db_operation_name: operation }, queryDurationMillis / second);
      if (event.level === "error") {
        metrics?.storeErrors.inc();
        failing.add(operation);
        health?.down({ err: event.error });
      } else {
        failing.delete(operation);
        if (failing.size === 0) health?.up();
      }
    },
  });
}

const operations = new Set(["SELECT", "INSERT", "UPDATE", "DELETE", "BEGIN", "COMMIT", "ROLLBACK"]);

/** Returns the first word of a statement if it is a common one, because a metric's label must have few values. */
function operationOf(sql: string): string {
  const [word = ""] = /^\w+/.exec(sql) ?? [];
  const name = word.toUpperCase();
  return operations.has(name) ? name : "_OTHER";
}

async function openMigrated(dialect: Dialect, metrics?: Metrics, health?: HealthLog): Promise<Database> {
  const db = open(dialect, metrics, health);
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

/**
 * Converts a failure of SQLite, such as damaged pages, to one line for the operator. Returns other errors unchanged.
 */
export function toStartError(error: unknown): unknown {
  let cause = error;
  while (cause instanceof UnavailableError) cause = cause.cause;
  if (!(cause instanceof Error && "code" in cause && cause.code === "ERR_SQLITE_ERROR")) return error;
  return new StartError([`store: SQLite doesn't work (${reasonFor(cause)})`]);
}

/**
 * Returns the database's message, or the error code if it has none: for a host with several addresses, the error has
 * only a code.
 */
function reasonFor(error: unknown): string {
  const [message] = (error instanceof Error ? error.message : String(error)).split("\n");
  return message || (error instanceof Error && "code" in error ? String(error.code) : "no reason given");
}

export type StoreTransaction = Transaction<Tables>;

/**
 * Does all of the work or nothing. Its changes are durable when this resolves. Retries the transaction if the
 * connection is lost before the commit, as in a restart of PostgreSQL, so the work must be repeatable.
 * @throws UnavailableError, with the error as its cause, if the database can't be written or the work fails
 */
export async function inTransaction<Result>(
  db: Database,
  work: (transaction: StoreTransaction) => Promise<Result>,
): Promise<Result> {
  let isCommitting = false;
  const attempt = () =>
    db.transaction().execute(async (transaction) => {
      const result = await work(transaction);
      isCommitting = true;
      return result;
    });
  // A commit without an answer may have succeeded.
  const isTransient = (error: unknown) => !isCommitting && isConnectionLost(error);
  try {
    return await retry(attempt, isTransient);
  } catch (cause) {
    throw new UnavailableError("the database can't be written", { cause });
  }
}
