import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { createLogger } from "../../server/platform/logger.ts";
import { openStore } from "../../server/store/open-store.ts";
import { emptyTables } from "../support/test-store.ts";
import { startPostgres } from "./start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the PostgreSQL server, for a role that may create databases. */
    postgresUrl: string;
  }
}

/** Tests need no durability. Many have stores open at once, and each store keeps its connections. */
const settings = ["fsync=off", "max_connections=300"];

/**
 * Runs before the tests of each project on PostgreSQL. The first project of a run starts a server for all of them.
 * @returns what stops the server after the run, for the first project
 * @throws Error if it can't be started, so that the run fails
 */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = vitest.getRootProject();
  if (run.getProvidedContext().postgresUrl) return undefined;
  const { url, stop } = await startPostgres(settings);
  await createTables(url);
  run.provide("postgresUrl", url);
  return stop;
}

/** Creates the tables once, in the database that the stores of the tests are copies of. */
async function createTables(server: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${client.escapeIdentifier(emptyTables)}`);
  await client.end();
  const databaseUrl = new URL(emptyTables, server).href;
  const dataDir = await mkdtemp(join(tmpdir(), "tables-"));
  const store = await openStore({ databaseUrl, dataDir, logger: createLogger({ level: "warn" }) });
  await store.close();
  await rm(dataDir, { recursive: true });
}
