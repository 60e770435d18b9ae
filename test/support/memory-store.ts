import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { CamelCasePlugin, Kysely, SqliteAdapter, SqliteDialect } from "kysely";
import { migrate } from "../../server/store/migrate.ts";
import type { Database } from "../../server/store/open-store.ts";
import type { Tables } from "../../server/store/tables.ts";
import { testLogger } from "./test-app.ts";
import { openTestStore } from "./test-store.ts";

/** The number of orders of events that a model tries. PostgreSQL takes ten times as long for each. */
export const triedOrders = process.env.TEST_DATABASE_URL === undefined ? 1000 : 100;

/** Lets all migrations share a transaction: https://sqlite.org/lang_transaction.html */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

class MemoryDialect extends SqliteDialect {
  override createAdapter() {
    return new TransactionalAdapter();
  }
}

/** Opens a store for thousands of orders of events: SQLite in memory, or the suite's PostgreSQL. */
export async function openMemoryStore(): Promise<Database> {
  if (process.env.TEST_DATABASE_URL !== undefined) return (await openTestStore(testLogger)).db;
  const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    const valuesOf = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
    return {
      reader: statement.columns().length > 0,
      all: (parameters: readonly unknown[]) => statement.all(...valuesOf(parameters)),
      run: (parameters: readonly unknown[]) => statement.run(...valuesOf(parameters)),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...valuesOf(parameters)),
    };
  };
  const dialect = new MemoryDialect({ database: { prepare, close: () => database.close() } });
  const db = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
  await migrate(db);
  return db;
}
