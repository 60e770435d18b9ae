import { join } from "node:path";

/** Gives the file of SQLite in the data folder. */
export function sqliteFile(dataDir: string): string {
  return join(dataDir, "storefront.sqlite");
}
