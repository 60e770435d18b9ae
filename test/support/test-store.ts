import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { Logger } from "../../server/logger.ts";
import { openStore, type Store } from "../../server/shop/store/open-store.ts";

/** What opens the same database again: as another replica does, or after a restart. */
export type StorePlace = Pick<Parameters<typeof openStore>[0], "databaseUrl" | "dataDir">;

const folders: string[] = [];
const stores: Store[] = [];

/** A place where nothing is stored yet: a fresh folder, or a fresh database where the suite runs on PostgreSQL. */
export async function createStorePlace(): Promise<StorePlace> {
  const dataDir = await mkdtemp(join(tmpdir(), "store-"));
  folders.push(dataDir);
  const server = process.env.TEST_DATABASE_URL;
  return { dataDir, databaseUrl: server && (await createDatabase(server)) };
}

/** Opens a store, which is closed after the tests of the file. */
export async function openTestStore(logger: Logger, place?: StorePlace): Promise<Store> {
  const store = await openStore({ ...(place ?? (await createStorePlace())), logger });
  stores.push(store);
  return store;
}

/** Closes what was opened, and removes what it left. */
export async function closeTestStores(): Promise<void> {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
}

async function createDatabase(server: string): Promise<string> {
  const name = `test-${randomUUID()}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${client.escapeIdentifier(name)}`);
  await client.end();
  return new URL(name, server).href;
}
