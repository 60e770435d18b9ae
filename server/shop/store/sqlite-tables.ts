import type { DatabaseSync } from "node:sqlite";

/**
 * Lists the tables of the service, with how many rows each has. They come in the order in which they were made, in which
 * each one comes after those that it refers to.
 */
export function countTables(database: DatabaseSync): { table: string; rows: number }[] {
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
