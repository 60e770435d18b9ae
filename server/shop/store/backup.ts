import { existsSync, mkdirSync, renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { second } from "../../../client/rules/time.ts";
import { StartError } from "../../errors.ts";
import { findMigrations } from "./migrate.ts";
import { publishFile } from "./publish-file.ts";
import { sqliteFile } from "./sqlite-file.ts";
import { isSqliteInUse } from "./sqlite-in-use.ts";
import { countTables } from "./sqlite-tables.ts";

/** How long a copy waits for another process. */
const busyTimeout = 5 * second;

/**
 * Copies the SQLite database of a data folder to a file, as it is at one moment, while the service goes on. The copy
 * holds everything but the key-encryption key, and nothing that was deleted.
 * @returns a line that says what was copied
 * @throws StartError when there is no database, or there is something at the place of the copy, or it is damaged
 */
export function backUp(dataDir: string, file: string): string {
  const source = sqliteFile(dataDir);
  if (!existsSync(source)) throw new StartError([`${source} isn't there`]);
  if (!copy(source, file)) throw new StartError([`${file} is there already`]);
  return `${file}: ${describeRows(file)}, without the key-encryption key`;
}

/**
 * Puts a backup into a data folder. The database that was there is kept beside it.
 * @returns a line that says what was restored
 * @throws StartError when the file is no backup, is damaged or of a newer release, or a process uses the database
 */
export async function restore(dataDir: string, file: string, at: Date): Promise<string> {
  if (!existsSync(file)) throw new StartError([`${file} isn't there`]);
  await checkRelease(file);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const target = sqliteFile(dataDir);
  const kept = existsSync(target) ? setAside(target, at) : undefined;
  if (!copy(file, target)) throw inUse(target);
  return `${target}: ${describeRows(target)}${kept ? `; ${kept} is what was there before` : ""}`;
}

/** Copies a database to a file, and returns whether it did: what is there stays. */
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

/** Reads a whole file of SQLite, and lets somebody work with it. */
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

/** Checks that a backup is one of this service, and that this release knows all of its migrations. */
async function checkRelease(file: string): Promise<void> {
  const known = await findMigrations();
  const done = read(file, (database) => {
    const [table] = database.prepare("select name from sqlite_schema where name = 'kysely_migration'").all();
    return table ? database.prepare("select name from kysely_migration").all() : [];
  });
  if (done.length === 0) throw new StartError([`${file} is no backup of this service`]);
  const newer = done.find(({ name }) => !known.includes(String(name)));
  if (newer) throw new StartError([`${file} is of a newer release, which has the migration ${newer.name}`]);
}

function describeRows(file: string): string {
  const counts = read(file, countTables);
  return `${counts.reduce((sum, { rows }) => sum + rows, 0)} rows in ${counts.length} tables`;
}

/** Renames a database that no process uses, and what is beside it. Returns its new name. */
function setAside(file: string, at: Date): string {
  if (isSqliteInUse(file)) throw inUse(file);
  const kept = `${file}.replaced-${at.toISOString().replaceAll(":", "-")}`;
  rename(file, kept);
  // A process may have opened it just before it got its new name.
  if (!isSqliteInUse(kept)) return kept;
  rename(kept, file);
  throw inUse(file);
}

/** The log of a file that SQLite can't read is still beside it. It would be taken for that of the next file. */
function rename(file: string, name: string): void {
  for (const suffix of ["-wal", "-shm", ""])
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${name}${suffix}`);
}

function inUse(file: string): StartError {
  return new StartError([`${file} is in use: stop the service first`]);
}
