import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
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
 * Opens the file so that what is committed survives a crash of the machine:
 * https://sqlite.org/pragma.html#pragma_synchronous
 */
function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyTimeout, enableForeignKeyConstraints: true });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  return database;
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
