import { existsSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { Kysely, type Transaction } from "kysely";
import { StartError } from "../../errors.ts";
import { openStore } from "./open-store.ts";
import { createUnlimitedDialect } from "./postgres-dialect.ts";
import { sqliteFile } from "./sqlite-file.ts";
import { isSqliteInUse } from "./sqlite-in-use.ts";
import { countTables } from "./sqlite-tables.ts";

type Options = Parameters<typeof openStore>[0];
type Row = Record<string, SQLOutputValue>;
/** Tables as the databases name them. Both keep the same types in them. */
type AnyTables = Record<string, Row>;
type Target = Transaction<AnyTables>;

/** How many rows a statement adds, so that it has fewer parameters than PostgreSQL takes. */
const batch = 500;

/**
 * Copies all that SQLite has to an empty PostgreSQL database, or nothing of it.
 * @param report - is told which table is being copied
 * @returns a line per table that says how many rows it has in both
 * @throws StartError when a process uses the file, PostgreSQL isn't empty or can't take the rows, or counts differ
 */
export async function copyToPostgres(options: Options, report: (table: string) => void): Promise<string[]> {
  const { databaseUrl, dataDir } = options;
  if (!databaseUrl) throw new StartError(["DATABASE_URL must be the PostgreSQL database to copy to"]);
  const file = sqliteFile(dataDir);
  if (!existsSync(file)) throw new StartError([`${file} isn't there`]);
  if (isSqliteInUse(file)) throw new StartError([`${file} is in use: stop the service first`]);
  // Brings the tables of both up to date, and makes sure that the keys can be decrypted.
  for (const one of [{ ...options, databaseUrl: undefined }, options]) await (await openStore(one)).close();

  const source = new DatabaseSync(file, { readOnly: true });
  const target = new Kysely<AnyTables>({ dialect: createUnlimitedDialect(databaseUrl) });
  try {
    return await target.transaction().execute((transaction) => copyTables(source, transaction, report));
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError([`nothing was copied (${error instanceof Error ? error.message : error})`]);
  } finally {
    await target.destroy();
    source.close();
  }
}

async function copyTables(source: DatabaseSync, target: Target, report: (table: string) => void): Promise<string[]> {
  const counts = countTables(source);
  for (const { table } of counts) {
    const rows = await countRows(target, table);
    if (rows > 0) throw new StartError([`PostgreSQL isn't empty: ${table} has ${rows} rows`]);
  }
  const lines: string[] = [];
  for (const { table, rows } of counts) {
    report(`${table}, which has ${rows} rows`);
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
