import { existsSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import type { Command } from "commander";
import { Kysely, type Transaction } from "kysely";
import type { Env } from "../config/env.ts";
import { StartError } from "../platform/errors.ts";
import { backUp, restore } from "./backup.ts";
import type { Run } from "./command.ts";
import { openStore } from "./open-store.ts";
import { createUnlimitedDialect } from "./postgres-dialect.ts";
import { countTables, isSqliteInUse, sqliteFile } from "./sqlite-files.ts";

type Options = Parameters<typeof openStore>[0];
type Row = Record<string, SQLOutputValue>;
/** Tables by their names in the database. Both databases store the same types. */
type AnyTables = Record<string, Row>;
type Target = Transaction<AnyTables>;

/** Rows per insert, which keeps below PostgreSQL's limit of parameters. */
const batch = 500;

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
        await output.say(await restore(env.dataDir, file, new Date()));
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
 * Copies the whole SQLite database to an empty PostgreSQL database, in one transaction.
 * @returns a line per table with its row counts in both
 * @throws StartError when the file is in use, PostgreSQL isn't empty or rejects rows, or counts differ
 */
async function copyToPostgres(options: Options): Promise<string[]> {
  const { databaseUrl, dataDir } = options;
  if (!databaseUrl) throw new StartError(["DATABASE_URL must be the PostgreSQL database to copy to"]);
  const file = sqliteFile(dataDir);
  if (!existsSync(file)) throw new StartError([`${file} doesn't exist`]);
  if (isSqliteInUse(file)) throw new StartError([`${file} is in use: stop the service first`]);
  // Brings the tables of both up to date.
  for (const one of [{ ...options, databaseUrl: undefined }, options]) await (await openStore(one)).close();

  const source = new DatabaseSync(file, { readOnly: true });
  const target = new Kysely<AnyTables>({ dialect: createUnlimitedDialect(databaseUrl) });
  try {
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
