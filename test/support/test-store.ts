import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { Logger } from "../../server/platform/logger.ts";
import { loadSecretKeys, type SecretKeys } from "../../server/platform/secret-keys.ts";
import { openStore, type Store } from "../../server/store/open-store.ts";

/** The options that open the same database again, as another replica does, or a restart. */
export type StorePlace = Omit<Parameters<typeof openStore>[0], "logger">;

/** All test services are replicas of each other. */
export const testSecret = Buffer.alloc(32, "test");
export const testKeys = keysOf(testSecret);

/** The keys of a service that has these secrets; the first one signs. */
export function keysOf(...secrets: Buffer[]): SecretKeys {
  const secretKey = secrets.map((secret) => secret.toString("base64")).join(",");
  return loadSecretKeys({ secretKey, secretKeyFile: undefined, dataDir: "" });
}

const folders: string[] = [];
const stores: Store[] = [];
const ends: (() => Promise<unknown>)[] = [];
let shared: Promise<Store> | undefined;

/** A database of the PostgreSQL server that has the tables, but no rows. */
export const emptyTables = "empty-tables";

/**
 * Creates an empty place for a store: a new folder, or a new database if the suite runs on PostgreSQL.
 * @param template - database that PostgreSQL copies; its own has no tables
 * @param server - URL of the PostgreSQL server
 */
export async function createStorePlace(
  template = "template1",
  server = process.env.TEST_DATABASE_URL,
): Promise<StorePlace> {
  const dataDir = await mkdtemp(join(tmpdir(), "store-"));
  folders.push(dataDir);
  return { dataDir, databaseUrl: server && (await createDatabase(server, template)) };
}

/** Opens a store, which is closed after the tests of the file. */
export async function openTestStore(logger: Logger, place?: StorePlace): Promise<Store> {
  const store = await openStore({ ...(place ?? (await createStorePlace(emptyTables))), logger });
  stores.push(store);
  return store;
}

/**
 * The one store of a test file.
 * @param open - opens it at the first call
 */
export function openSharedStore(open: () => Promise<Store>): Promise<Store> {
  shared ??= open();
  return shared;
}

/** Ends work that would outlast its test file, before the stores are closed. */
export function endWithStores(end: () => Promise<unknown>): void {
  ends.push(end);
}

/** Closes what was opened, and removes what it left. */
export async function closeTestStores(): Promise<void> {
  shared = undefined;
  await Promise.all(ends.splice(0).map((end) => end()));
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
}

async function createDatabase(server: string, template: string): Promise<string> {
  const name = `test-${randomUUID()}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  const [database, copied] = [name, template].map((text) => client.escapeIdentifier(text));
  // Copies the template's files. The default strategy writes each page to the write-ahead log, up to four times slower.
  await client.query(`create database ${database} template ${copied} strategy file_copy`);
  await client.end();
  return new URL(name, server).href;
}
