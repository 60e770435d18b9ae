import { existsSync, mkdirSync, renameSync } from "node:fs";
import { DatabaseSync, type DatabaseSyncOptions, type SQLOutputValue } from "node:sqlite";
import type { Command } from "commander";
import { Kysely, type Transaction } from "kysely";
import { second } from "../../client/rules/time.ts";
import type { Env } from "../config/env.ts";
import { StartError } from "../platform/errors.ts";
import { publishFile } from "../platform/publish-file.ts";
import type { Run } from "./command.ts";
import { findMigrations } from "./migrate.ts";
import { openStore } from "./open-store.ts";
import { createDialectWithoutTimeouts } from "./postgres-dialect.ts";
import { sqliteFile } from "./sqlite-dialect.ts";

type Row = Record<string, SQLOutputValue>;
/** A transaction that names tables as the database does. Both databases store the same types. */
type Target = Transaction<Record<string, Row>>;

/** Rows per insert, below PostgreSQL's limit of parameters. */
const batch = 500;
/** How long a backup or a copy waits for a lock. */
const busyTimeout = 5 * second;
/** https://sqlite.org/rescode.html#busy */
const busy = 5;

/** Adds the commands for the store as a whole. */
export function storeCommands(program: Command, run: Run): void {
  program
    .command("backup <file>")
    .description("copy the SQLite database to a file")
    .action(
      run(async ({ env, output }, file: string) => {
        refusePostgres(env, "pg_dump");
        await output.say(backUp(env.dataDir, file));
      }),
    );
  program
    .command("restore <file>")
    .description("restore the database from such a file")
    .action(
      run(async ({ env, output }, file: string) => {
        refusePostgres(env, "pg_restore");
        await output.say(await restore(env.dataDir, file));
      }),
    );
  program
    .command("copy-to-postgres")
    .description("copy the SQLite database in DATA_DIR to the empty PostgreSQL database at DATABASE_URL")
    .action(
      run(async ({ env, logger, output }) => {
        await output.say((await copyToPostgres({ ...env, logger })).join("\n"));
      }),
    );
}

function refusePostgres({ databaseUrl }: Env, tool: string): void {
  if (databaseUrl) throw new StartError([`DATABASE_URL is set: ${tool} does this for PostgreSQL`]);
}

/**
 * Copies a consistent snapshot of the SQLite database to a file while the service runs. The copy contains everything
 * except the secret key, and no deleted data.
 * @returns a line for the operator
 * @throws StartError if there is no database, the file exists, or the copy is damaged
 */
function backUp(dataDir: string, file: string): string {
  copySqlite(findFile(sqliteFile(dataDir)), file);
  return `${file}: ${describeRows(file)}, without the secret key`;
}

/**
 * Restores a backup into a data folder. Keeps the previous database beside it.
 * @returns a line for the operator
 * @throws StartError if the file is no backup, is damaged or is from a newer release, or if the database is in use
 */
async function restore(dataDir: string, file: string): Promise<string> {
  await checkBackup(findFile(file));
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const target = sqliteFile(dataDir);
  const kept = existsSync(target) ? setAside(target) : undefined;
  copySqlite(file, target);
  return `${target}: ${describeRows(target)}${kept ? `; ${kept} is what was there before` : ""}`;
}

/**
 * Copies the whole SQLite database to an empty PostgreSQL database, in one transaction.
 * @returns a line per table with its row counts in both
 * @throws StartError if the file is in use, PostgreSQL isn't empty or rejects rows, or counts differ
 */
async function copyToPostgres(options: Parameters<typeof openStore>[0]): Promise<string[]> {
  const { databaseUrl, dataDir } = options;
  if (!databaseUrl) throw new StartError(["DATABASE_URL must be the PostgreSQL database to copy to"]);
  const file = findFile(sqliteFile(dataDir));
  refuseInUse(file);
  // Migrates both databases to the current tables.
  for (const one of [{ ...options, databaseUrl: undefined }, options]) await (await openStore(one)).close();

  const source = new DatabaseSync(file, { timeout: busyTimeout });
  const target = new Kysely<Record<string, Row>>({ dialect: createDialectWithoutTimeouts(databaseUrl) });
  try {
    // Locks the file, so that a service that starts in the meantime writes nothing that the copy would lack.
    source.exec("BEGIN IMMEDIATE");
    return await target.transaction().execute((transaction) => copyTables(source, transaction));
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError([`nothing was copied (${error instanceof Error ? error.message : error})`]);
  } finally {
    await target.destroy();
    source.close();
  }
}

async function copyTables(source: DatabaseSync, target: Target): Promise<string[]> {
  const counts = countTables(source);
  for (const { table } of counts) {
    const rows = await countRows(target, table);
    if (rows > 0) throw new StartError([`PostgreSQL isn't empty: ${table} has ${rows} rows`]);
  }
  const lines: string[] = [];
  for (const { table, rows } of counts) {
    await copyRows(source, target, table);
    const copied = await countRows(target, table);
    if (copied !== rows) throw new StartError([`nothing was copied: ${table} has ${rows} rows here, ${copied} there`]);
    lines.push(`${table}: ${rows} rows here, ${copied} there`);
  }
  return lines;
}

async function copyRows(source: DatabaseSync, target: Target, table: string): Promise<void> {
  let values: Row[] = [];
  const add = async () => {
    if (values.length > 0) await target.insertInto(table).values(values).execute();
    values = [];
  };
  for (const row of source.prepare(`select * from "${table}"`).iterate()) {
    values.push(row);
    if (values.length === batch) await add();
  }
  await add();
}

async function countRows(target: Target, table: string): Promise<number> {
  const { rows } = await target
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("rows"))
    .executeTakeFirstOrThrow();
  return rows;
}

function findFile(file: string): string {
  if (!existsSync(file)) throw new StartError([`${file} doesn't exist`]);
  return file;
}

/** Copies a database to a file that doesn't exist yet, and checks the copy. */
function copySqlite(source: string, target: string): void {
  const write = (unfinished: string) => {
    withDatabase(source, { timeout: busyTimeout }, (database) => database.prepare("VACUUM INTO ?").run(unfinished));
    withDatabase(unfinished, { readOnly: true }, (copy) => check(copy, target));
  };
  try {
    if (!publishFile(target, write)) throw new StartError([`${target} already exists`]);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new StartError([`${target} can't be written (${error.message})`]);
  }
}

function check(database: DatabaseSync, file: string): void {
  const found = database.prepare("PRAGMA integrity_check").get()?.integrity_check;
  if (found !== "ok") throw new StartError([`${file} is damaged (${found})`]);
}

/** Checks that a file is an undamaged backup of this service, and that this release knows all its migrations. */
async function checkBackup(file: string): Promise<void> {
  const known = await findMigrations();
  withDatabase(file, { readOnly: true }, (database) => {
    check(database, file);
    const table = database.prepare("select name from sqlite_schema where name = 'kysely_migration'").get();
    if (!table) throw new StartError([`${file} isn't a backup of this service`]);
    const done = database.prepare("select name from kysely_migration").all();
    const newer = done.find(({ name }) => !known.includes(String(name)));
    if (newer) throw new StartError([`${file} is from a newer release, which has the migration ${newer.name}`]);
  });
}

function describeRows(file: string): string {
  const counts = withDatabase(file, { readOnly: true }, countTables);
  return `${counts.reduce((sum, { rows }) => sum + rows, 0)} rows in ${counts.length} tables`;
}

/**
 * Lists the service's tables with their row counts, in the order of their creation: each comes after those that it
 * refers to.
 */
function countTables(database: DatabaseSync): { table: string; rows: number }[] {
  const tables = database
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like 'kysely%' order by rowid",
    )
    .all();
  return tables.map(({ name }) => ({
    table: String(name),
    rows: Number(database.prepare(`select count(*) as rows from "${name}"`).get()?.rows),
  }));
}

/**
 * Renames a database that isn't in use, with the files beside it.
 * @returns the new name
 */
function setAside(file: string): string {
  refuseInUse(file);
  const kept = `${file}.replaced-${new Date().toISOString().replaceAll(":", "-")}`;
  // SQLite leaves the WAL of a file that it can't read. It would take this WAL for that of the next file.
  for (const suffix of ["-wal", "-shm", ""])
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${kept}${suffix}`);
  return kept;
}

/**
 * Throws if another process has a database open, even if it is idle. Writes the WAL back into the file, because SQLite
 * leaves WAL mode only for the last process: https://sqlite.org/wal.html#persistence_of_wal_mode. A file that SQLite
 * can't read counts as not in use.
 * @throws StartError
 */
function refuseInUse(file: string): void {
  try {
    withDatabase(file, { timeout: 0 }, (database) => database.exec("PRAGMA journal_mode = DELETE"));
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === busy)
      throw new StartError([`${file} is in use: stop the service first`]);
  }
}

/** Opens a database, and closes it after the work. */
function withDatabase<Result>(
  file: string,
  options: DatabaseSyncOptions,
  work: (database: DatabaseSync) => Result,
): Result {
  const database = new DatabaseSync(file, options);
  try {
    return work(database);
  } finally {
    database.close();
  }
}
