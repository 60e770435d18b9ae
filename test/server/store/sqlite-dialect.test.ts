import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Database, openStore } from "../../../server/store/open-store.ts";
import { testLogger } from "../../support/test-app.ts";
import { createStorePlace, openTestStore } from "../../support/test-store.ts";

const namesIn = async (db: Database) =>
  (await db.selectFrom("abTest").select("name").orderBy("name").execute()).map(({ name }) => name);

describe("a store in SQLite", () => {
  it("syncs each commit, checks foreign keys, and overwrites what is deleted", async () => {
    const { db } = await openTestStore(testLogger);
    const read = async (name: string) => Object.values((await sql`PRAGMA ${sql.raw(name)}`.execute(db)).rows[0] ?? {});
    expect(await read("journal_mode")).toEqual(["wal"]);
    expect(await read("synchronous"), "FULL").toEqual([2]);
    expect(await read("foreign_keys")).toEqual([1]);
    expect(await read("secure_delete")).toEqual([1]);
  });

  it("is readable for its own user only, with its folder", async () => {
    const { dataDir } = await createStorePlace();
    const nested = join(dataDir, "not", "there");
    await openTestStore(testLogger, { dataDir: nested, databaseUrl: undefined });
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await modeOf(nested)).toBe(0o700);
    for (const ending of ["", "-wal", "-shm"])
      expect(await modeOf(join(nested, `storefront.sqlite${ending}`))).toBe(0o600);
  });

  it("reads what is committed while a transaction is open, in this process or another", async () => {
    const place = await createStorePlace();
    const { db } = await openTestStore(testLogger, place);
    const other = new DatabaseSync(join(place.dataDir, "storefront.sqlite"));
    onTestFinished(() => other.close());
    await db.insertInto("abTest").values({ name: "committed", validFrom: 0, validTo: null }).execute();
    await db.transaction().execute(async (transaction) => {
      await transaction.insertInto("abTest").values({ name: "under-way", validFrom: 0, validTo: null }).execute();
      expect(await namesIn(db)).toEqual(["committed"]);
      expect(await namesIn(transaction)).toEqual(["committed", "under-way"]);
    });
    other.exec("begin immediate");
    expect(await namesIn(db)).toEqual(["committed", "under-way"]);
  });

  it("rejects statements that arrive after it was closed, such as the rest of a transaction", async () => {
    const { db } = await openStore({ ...(await createStorePlace()), logger: testLogger });
    const transaction = await db.startTransaction().execute();
    const read = () => transaction.selectFrom("abTest").select("name").execute();
    expect(await read()).toEqual([]);
    const closing = db.destroy();
    await turnOfLoop();
    await expect(read(), "while it closes").rejects.toThrow("the database is closed");
    await closing;
    await expect(read(), "afterwards").rejects.toThrow("the database is closed");
  });

  it.each([
    ["the folder is a file", (dataDir: string) => writeFile(dataDir, "")],
    ["the file is a folder", (dataDir: string) => mkdir(join(dataDir, "storefront.sqlite"), { recursive: true })],
    [
      "the file is no database",
      async (dataDir: string) => {
        await mkdir(dataDir);
        await writeFile(join(dataDir, "storefront.sqlite"), "no database".repeat(100));
      },
    ],
  ])("refuses to start, with one line, when %s", async (_what, prepare) => {
    const { dataDir } = await createStorePlace();
    const folder = join(dataDir, "data");
    await prepare(folder);
    await expect(openTestStore(testLogger, { dataDir: folder, databaseUrl: undefined })).rejects.toMatchObject({
      name: "StartError",
      faults: [expect.stringMatching(/^store: can't open SQLite in \/.*\/data \(\w[^\n]+\)$/)],
    });
  });
});
