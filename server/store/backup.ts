import { existsSync, mkdirSync, renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { second } from "../../client/rules/time.ts";
import { StartError } from "../platform/errors.ts";
import { publishFile } from "../platform/publish-file.ts";
import { findMigrations } from "./migrate.ts";
import { countTables, isSqliteInUse, sqliteFile } from "./sqlite-files.ts";

/** How long a copy waits for a lock. */
const busyTimeout = 5 * second;

/**
 * Copies a consistent snapshot of the SQLite database to a file while the service runs. The copy holds everything except
 * the secret key, and nothing that was deleted.
 * @returns a line for the operator
 * @throws StartError when there is no database, the file exists, or the copy is damaged
 */
export function backUp(dataDir: string, file: string): string {
  const source = sqliteFile(dataDir);
  if (!existsSync(source)) throw new StartError([`${source} doesn't exist`]);
  if (!copy(source, file)) throw new StartError([`${file} already exists`]);
  return `${file}: ${describeRows(file)}, without the secret key`;
}

/**
 * Restores a backup into a data folder. A database that was there is kept beside it.
 * @returns a line for the operator
 * @throws StartError when the file is no backup, damaged or from a newer release, or the database is in use
 */
export async function restore(dataDir: string, file: string, at: Date): Promise<string> {
  if (!existsSync(file)) throw new StartError([`${file} doesn't exist`]);
  await checkRelease(file);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const target = sqliteFile(dataDir);
  const kept = existsSync(target) ? setAside(target, at) : undefined;
  if (!copy(file, target)) throw inUse(target);
  return `${target}: ${describeRows(target)}${kept ? `; ${kept} is what was there before` : ""}`;
}

/** Copies a database to a file. Returns false when the file exists. */
function copy(source: string, target: string): boolean {
  const database = new DatabaseSync(source, { timeout: busyTimeout });
  try {
    return publishFile(target, (unfinished) => {
      database.prepare("VACUUM INTO ?").run(unfinished);
      read(unfinished, () => undefined);
    });
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new StartError([`${target} can't be written (${error.message})`]);
  } finally {
    database.close();
  }
}

/** Checks a whole SQLite file, and reads from it. */
function read<Result>(file: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const [{ integrity_check: found } = {}] = database.prepare("PRAGMA integrity_check").all();
    if (found !== "ok") throw new StartError([`${file} is damaged (${found})`]);
    return work(database);
  } finally {
    database.close();
  }
}

/** Checks that a file is a backup of this service, and that this release knows all its migrations. */
async function checkRelease(file: string): Promise<void> {
  const known = await findMigrations();
  const done = read(file, (database) => {
    const [table] = database.prepare("select name from sqlite_schema where name = 'kysely_migration'").all();
    return table ? database.prepare("select name from kysely_migration").all() : [];
  });
  if (done.length === 0) throw new StartError([`${file} isn't a backup of this service`]);
  const newer = done.find(({ name }) => !known.includes(String(name)));
  if (newer) throw new StartError([`${file} is from a newer release, which has the migration ${newer.name}`]);
}

function describeRows(file: string): string {
  const counts = read(file, countTables);
  return `${counts.reduce((sum, { rows }) => sum + rows, 0)} rows in ${counts.length} tables`;
}

/** Renames a database that isn't in use, with the files beside it. Returns the new name. */
function setAside(file: string, at: Date): string {
  if (isSqliteInUse(file)) throw inUse(file);
  const kept = `${file}.replaced-${at.toISOString().replaceAll(":", "-")}`;
  // The WAL of a file that SQLite can't read stays behind, and would be taken for that of the next file.
  for (const suffix of ["-wal", "-shm", ""])
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${kept}${suffix}`);
  return kept;
}

function inUse(file: string): StartError {
  return new StartError([`${file} is in use: stop the service first`]);
}
