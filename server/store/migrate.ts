import * as fs from "node:fs/promises";
import * as path from "node:path";
import { type Kysely, sql } from "kysely";
import {
  DEFAULT_MIGRATION_LOCK_TABLE,
  FileMigrationProvider,
  MIGRATION_LOCK_ID,
  type Migration,
  type MigrationProvider,
  Migrator,
} from "kysely/migration";
import { root } from "../platform/paths.ts";
import type { Tables } from "./tables.ts";

const known = new FileMigrationProvider({
  fs,
  path,
  migrationFolder: path.join(root, "server/store/migrations"),
});

/** The migrator takes this lock only after creating its own tables. These, too, must be created by only one replica. */
const lock = { lockTable: DEFAULT_MIGRATION_LOCK_TABLE, lockRowId: MIGRATION_LOCK_ID };

/**
 * Migrates the tables in one transaction. Keeps migrations of a later release, because releases only add.
 * @throws Error of the database, or of a migration
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.getExecutor().adapter.acquireMigrationLock(transaction, lock);
    const migrator = new Migrator({ db: transaction, provider: knownAndLater(transaction) });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  });
}

/** Returns the names of this release's migrations. */
export async function findMigrations(): Promise<string[]> {
  return Object.keys(await known.getMigrations());
}

/**
 * Provides this release's migrations, and an empty one for each of a later release, because the migrator requires them.
 */
function knownAndLater(db: Kysely<Tables>): MigrationProvider {
  return {
    async getMigrations() {
      const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
      const made = rows.map(({ name }): [string, Migration] => [name, { up: async () => undefined }]);
      return { ...Object.fromEntries(made), ...(await known.getMigrations()) };
    },
  };
}
