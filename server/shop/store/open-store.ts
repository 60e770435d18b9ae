import * as fs from "node:fs/promises";
import * as path from "node:path";
import { CamelCasePlugin, type Dialect, Kysely } from "kysely";
import { FileMigrationProvider, Migrator } from "kysely/migration";
import { StartError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import { root } from "../../root.ts";
import { createMigrationDialect, createPostgresDialect } from "./postgres-dialect.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";
import type { Tables } from "./tables.ts";

export type Database = Kysely<Tables>;

export interface Store {
  db: Database;
  close(): Promise<void>;
}

interface StoreOptions {
  /** Address of a PostgreSQL database; undefined opens SQLite in the data folder. */
  databaseUrl: string | undefined;
  dataDir: string;
  logger: Logger;
}

/**
 * Opens the database and brings its tables up to date. Several replicas may do so at once.
 * @throws StartError when the database can't be opened, reached or migrated
 */
export async function openStore({ databaseUrl, dataDir, logger }: StoreOptions): Promise<Store> {
  try {
    if (!databaseUrl) return await migrated(createSqliteDialect(dataDir));
    await (await migrated(createMigrationDialect(databaseUrl, logger))).close();
    return storeOf(createPostgresDialect(databaseUrl, logger));
  } catch (error) {
    const place = databaseUrl ? `PostgreSQL at ${new URL(databaseUrl).host}` : `SQLite in ${dataDir}`;
    throw new StartError([`store: can't open ${place} (${reasonFor(error)})`]);
  }
}

function storeOf(dialect: Dialect): Store {
  const db: Database = new Kysely({ dialect, plugins: [new CamelCasePlugin()] });
  return { db, close: () => db.destroy() };
}

async function migrated(dialect: Dialect): Promise<Store> {
  const store = storeOf(dialect);
  const { db, close } = store;
  const migrationFolder = path.join(root, "server/shop/store/migrations");
  const migrator = new Migrator({ db, provider: new FileMigrationProvider({ fs, path, migrationFolder }) });
  const { error } = await migrator.migrateToLatest();
  if (error) {
    await close();
    throw error;
  }
  return store;
}

/** Gives the database's own words, or the code where an address that stands for several hosts gives nothing else. */
function reasonFor(error: unknown): string {
  const [message] = (error instanceof Error ? error.message : String(error)).split("\n");
  return message || (error instanceof Error && "code" in error ? String(error.code) : "no reason given");
}
