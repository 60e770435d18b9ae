import { execFile } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { openStore } from "../../../server/store/open-store.ts";
import { startProcess, stopProcesses } from "../../support/start-process.ts";
import { testLogger } from "../../support/test-app.ts";
import { createStorePlace } from "../../support/test-store.ts";

afterAll(stopProcesses);

const line = "store: SQLite doesn't work (database disk image is malformed)\n";

/** Makes a store, and overwrites the first page of a table or an index. Returns its folder. */
async function createDamagedStore(name: string): Promise<string> {
  const { dataDir } = await createStorePlace();
  await (await openStore({ dataDir, databaseUrl: undefined, logger: testLogger })).close();
  const path = join(dataDir, "storefront.sqlite");
  const database = new DatabaseSync(path);
  const page = Number(database.prepare("select rootpage from sqlite_schema where name = ?").get(name)?.rootpage);
  const size = Number(database.prepare("pragma page_size").get()?.page_size);
  database.close();
  const file = await open(path, "r+");
  await file.write(Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  await file.close();
  return dataDir;
}

it.each(["account", "promotion"])("a damaged page of %s ends a start with one line", async (table) => {
  const service = startProcess({ DATA_DIR: await createDamagedStore(table) });
  await expect(service.port).rejects.toThrow();
  expect([(await service.ended).code, service.stderr()]).toEqual([1, line]);
});

it("a damaged page ends a command with one line", async () => {
  const options = { env: { DATA_DIR: await createDamagedStore("newsletter_subscription_email") } };
  const words = ["dist/server/commands/main.js", "erase", "ada@shop.example"];
  const command = promisify(execFile)(process.execPath, words, options);
  await expect(command).rejects.toMatchObject({ code: 1, stdout: "", stderr: line });
});
