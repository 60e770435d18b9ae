import { open } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, it } from "vitest";
import { openStore } from "../../../server/store/open-store.ts";
import { sendSignUp } from "../../faults/visitors.ts";
import { runCommand } from "../../support/run-command.ts";
import { startProcess, stopProcesses } from "../../support/start-process.ts";
import { testLogger } from "../../support/test-app.ts";
import { createStorePlace } from "../../support/test-store.ts";

afterAll(stopProcesses);

const line = "store: SQLite doesn't work (database disk image is malformed)\n";

async function createStore(): Promise<string> {
  const { dataDir } = await createStorePlace();
  await (await openStore({ dataDir, databaseUrl: undefined, logger: testLogger })).close();
  return dataDir;
}

/** Overwrites the first page of a table or an index. */
async function damage(dataDir: string, name: string): Promise<void> {
  const path = join(dataDir, "storefront.sqlite");
  const database = new DatabaseSync(path, { timeout: 5_000 });
  const page = Number(database.prepare("select rootpage from sqlite_schema where name = ?").get(name)?.rootpage);
  const size = Number(database.prepare("pragma page_size").get()?.page_size);
  // A service reads another process's changes from the file again.
  database.exec("update newsletter_subscription set changed_at = changed_at + 1; pragma wal_checkpoint(truncate)");
  database.close();
  const file = await open(path, "r+");
  await file.write(Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  await file.close();
}

it("a damaged page ends a start with one line", async () => {
  const dataDir = await createStore();
  await damage(dataDir, "account");
  const service = startProcess({ DATA_DIR: dataDir });
  await expect(service.port).rejects.toThrow();
  expect([(await service.ended).code, service.stderr()]).toEqual([1, line]);
});

it("a damaged page ends a command with one line", async () => {
  const dataDir = await createStore();
  await damage(dataDir, "newsletter_subscription_email");
  const ended = await runCommand({ DATA_DIR: dataDir }, "erase", "ada@shop.example");
  expect(ended).toEqual({ code: 1, stdout: "", stderr: line });
});

it("a service whose file is damaged answers sign-ups with 503, and serves footers", async () => {
  const dataDir = await createStore();
  const port = await startProcess({ DATA_DIR: dataDir }).port;
  expect(await sendSignUp(port, "before@shop.example")).toBe(202);
  await damage(dataDir, "newsletter_subscription");
  expect(await sendSignUp(port, "damaged@shop.example")).toBe(503);
  expect((await fetch(`http://127.0.0.1:${port}/fragments/footer/DE`)).status).toBe(200);
});
