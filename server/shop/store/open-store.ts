import { CamelCasePlugin, type Dialect, Kysely } from "kysely";
import { second } from "../../../client/rules/time.ts";
import { StartError, UnavailableError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import type { Metrics } from "../../metrics.ts";
import { createOutage, type Outage } from "../../outage.ts";
import { askTime } from "./ask-time.ts";
import { checkServiceKeys, encryptEarlierKeys, hasEncryptedKeys } from "./encrypt-service-keys.ts";
import { createKeyCipher } from "./key-cipher.ts";
import { KeyEncryption } from "./key-encryption.ts";
import { type KeyEncryptionOptions, readKeyEncryptionKeys } from "./key-encryption-keys.ts";
import { migrate } from "./migrate.ts";
import { reportTo } from "./report-to.ts";
import { openSqliteDialect } from "./sqlite-dialect.ts";
import { emptyLogNow, keepEmptyingLog } from "./sqlite-log.ts";
import type { Tables } from "./tables.ts";

export type Database = Kysely<Tables>;

export interface Store {
  db: Database;
  /**
   * Ends what the files of SQLite still hold of deleted rows. PostgreSQL sees to its files by itself.
   * @throws StartError when another process keeps it from that
   */
  forgetDeleted(): Promise<void>;
  close(): Promise<void>;
}

type StoreMetrics = Pick<Metrics, "statements" | "storeErrors" | "storeWaits">;

interface StoreOptions extends KeyEncryptionOptions {
  /** Address of a PostgreSQL database; undefined opens SQLite in the data folder. */
  databaseUrl: string | undefined;
  logger: Logger;
  /** Whether statements may take as long as they need, as those of operators do. Requests can't wait. */
  unlimited?: boolean;
  /** Undefined where nobody reads them, as in a command. */
  metrics?: StoreMetrics;
}

/**
 * Opens the database, brings its tables up to date, and makes sure that its keys can be decrypted. Several replicas may
 * do so at once.
 * @throws StartError when the database can't be opened, reached or migrated, or its keys can't be decrypted
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const store = await openTables(options);
  try {
    const keys = readKeyEncryptionKeys(options, await hasEncryptedKeys(store.db));
    const db = store.db.withPlugin(new KeyEncryption(createKeyCipher(keys)));
    // Where another process has the files open, what was in clear goes from them when the last one closes them.
    if ((await encryptEarlierKeys(db)) > 0) await store.forgetDeleted().catch(() => undefined);
    await checkServiceKeys(db);
    return { ...store, db };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openTables(options: StoreOptions): Promise<Store> {
  const { databaseUrl, dataDir } = options;
  try {
    return databaseUrl ? await openPostgres(databaseUrl, options) : await openSqlite(options);
  } catch (error) {
    const place = databaseUrl ? `PostgreSQL at ${new URL(databaseUrl).host}` : `SQLite in ${dataDir}`;
    throw new StartError([`store: can't open ${place} (${reasonFor(error)})`]);
  }
}

async function openPostgres(url: string, { logger, unlimited, metrics }: StoreOptions): Promise<Store> {
  const { createPostgresDialect, createUnlimitedDialect } = await import("./postgres-dialect.ts");
  const migrated = await openMigrated(createUnlimitedDialect(url), metrics);
  if (unlimited) return storeInPostgres(migrated);
  await migrated.destroy();
  const db = open(createPostgresDialect(url, metrics?.storeWaits), metrics, createStoreOutage(logger));
  // A pooler may refuse connections with limits.
  await askTime(db);
  return storeInPostgres(db);
}

function storeInPostgres(db: Database): Store {
  return { db, forgetDeleted: async () => undefined, close: () => db.destroy() };
}

async function openSqlite({ dataDir, logger, unlimited, metrics }: StoreOptions): Promise<Store> {
  const outage = unlimited ? undefined : createStoreOutage(logger);
  const db = await openMigrated(await openSqliteDialect(dataDir, metrics?.storeWaits), metrics, outage);
  const emptying = keepEmptyingLog(db);
  return {
    db,
    forgetDeleted: () => emptyLogNow(db),
    async close() {
      clearInterval(emptying);
      await db.destroy();
    },
  };
}

/** A command tells of its own failures. */
function createStoreOutage(logger: Logger): Outage {
  return createOutage(logger, {
    away: "the store could not carry out a statement",
    back: "the store carries out statements again",
  });
}

function open(dialect: Dialect, metrics?: StoreMetrics, outage?: Outage): Database {
  return new Kysely({
    dialect: outage ? reportTo(outage, dialect) : dialect,
    plugins: [new CamelCasePlugin()],
    log(event) {
      const { query, queryDurationMillis } = event;
      metrics?.statements.observe({ db_operation_name: nameOperation(query.sql) }, queryDurationMillis / second);
      if (event.level === "error") {
        metrics?.storeErrors.inc();
        outage?.failed({ err: event.error });
      } else {
        outage?.answered();
      }
    },
  });
}

/** Names what a statement does by its first word, for the metrics: one of a few, whatever the statement. */
function nameOperation(sql: string): string {
  const [word = ""] = /^\w+/.exec(sql) ?? [];
  const name = word.toUpperCase();
  return operations.has(name) ? name : "_OTHER";
}

const operations = new Set(["SELECT", "INSERT", "UPDATE", "DELETE", "BEGIN", "COMMIT", "ROLLBACK"]);

/** Opens the database, and brings its tables up to date. */
async function openMigrated(dialect: Dialect, metrics?: StoreMetrics, outage?: Outage): Promise<Database> {
  const db = open(dialect, metrics, outage);
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

/**
 * Says in one line that SQLite can't read or write what is asked of it, such as a file with damaged pages. Other errors
 * are given back as they are.
 */
export function toStartError(error: unknown): unknown {
  let cause = error;
  while (cause instanceof UnavailableError) cause = cause.cause;
  if (!(cause instanceof Error && "code" in cause && cause.code === "ERR_SQLITE_ERROR")) return error;
  return new StartError([`store: SQLite can't do its work (${reasonFor(cause)})`]);
}

/** Gives the database's own words, or the code where an address that stands for several hosts gives nothing else. */
function reasonFor(error: unknown): string {
  const [message] = (error instanceof Error ? error.message : String(error)).split("\n");
  return message || (error instanceof Error && "code" in error ? String(error.code) : "no reason given");
}
