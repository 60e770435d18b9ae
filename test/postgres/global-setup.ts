import type { TestProject } from "vitest/node";
import { startPostgres } from "./start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the PostgreSQL server, as one who may create databases. */
    postgresUrl: string;
  }
}

/** Runs once before the tests on PostgreSQL; throws, and so fails the run, when it can't be started. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres();
  project.provide("postgresUrl", url);
  return stop;
}
