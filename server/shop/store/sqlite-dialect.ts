import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryExecutorProvider,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  sql,
} from "kysely";
import { second } from "../../../client/rules/time.ts";

/** How long a statement waits for another process's transaction. */
const busyTimeout = 5 * second;

/**
 * Creates the dialect for SQLite, through Node's own module. The file's folder is created when it is missing.
 * @throws Error when the file can't be opened
 */
export function createSqliteDialect(folder: string): SqliteDialect {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return new NodeSqliteDialect(openDatabase(join(folder, "storefront.sqlite")));
}

/**
 * Empties the log that SQLite keeps beside its file. What was deleted is overwritten in the file, and only there.
 * @returns whether it is empty: another process may keep it from that
 */
export async function emptyLog(db: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
  return rows[0]?.busy === 0;
}

/**
 * Opens the file, for its own user alone, so that what is committed survives a crash of the machine, and what is deleted
 * is overwritten: https://sqlite.org/pragma.html#pragma_synchronous, https://sqlite.org/pragma.html#pragma_secure_delete
 */
function openDatabase(file: string): DatabaseSync {
  keepPrivate(file);
  const database = new DatabaseSync(file, { timeout: busyTimeout, enableForeignKeyConstraints: true });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
  return database;
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

class NodeSqliteDialect extends SqliteDialect {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    super({ database: adapt(database) });
    this.#database = database;
  }

  override createAdapter() {
    return new TransactionalAdapter();
  }

  override createDriver() {
    return new ImmediateDriver(this.#database);
  }
}

/**
 * The adapter for migrations that happen whole or not at all, as SQLite's DDL is transactional:
 * https://sqlite.org/lang_transaction.html
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/**
 * The driver whose transactions take the write lock at once. One that reads first would fail when another process wrote
 * in between.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    super({ database: adapt(database) });
    this.#database = database;
  }

  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /**
   * Keeps the error of a full disk, which ends the transaction by itself, as https://sqlite.org/lang_transaction.html
   * says (test/server/shop/newsletter/sqlite-faults.test.ts).
   */
  override async rollbackTransaction(connection: DatabaseConnection) {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** Gives Node's database the shape of better-sqlite3's, which Kysely's dialect was made for. */
function adapt(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters: SQLInputValue[]) => statement.all(...parameters),
        run: (parameters: SQLInputValue[]) => statement.run(...parameters),
        iterate: (parameters: SQLInputValue[]) => statement.iterate(...parameters),
      };
    },
  };
}
