import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { testLogger } from "../../../support/test-app.ts";
import { createStorePlace, openTestStore } from "../../../support/test-store.ts";

describe("a store in SQLite", () => {
  it("is checked, and overwrites what is deleted", async () => {
    const { db } = await openTestStore(testLogger);
    const read = async (name: string) => Object.values((await sql`PRAGMA ${sql.raw(name)}`.execute(db)).rows[0] ?? {});
    expect(await read("journal_mode")).toEqual(["wal"]);
    expect(await read("synchronous"), "NORMAL").toEqual([1]);
    expect(await read("foreign_keys")).toEqual([1]);
    expect(await read("secure_delete")).toEqual([1]);
  });

  it("creates its folder, for its own user alone", async () => {
    const { dataDir } = await createStorePlace();
    const nested = join(dataDir, "not", "there");
    await openTestStore(testLogger, { dataDir: nested, databaseUrl: undefined });
    expect((await stat(nested)).mode & 0o777).toBe(0o700);
    expect((await stat(join(nested, "storefront.sqlite"))).isFile()).toBe(true);
  });

  it("is readable by its own user alone, also where an earlier release made its files", async () => {
    const { dataDir } = await createStorePlace();
    const files = ["", "-wal", "-shm"].map((ending) => join(dataDir, `storefront.sqlite${ending}`));
    const modes = () => Promise.all(files.map(async (file) => (await stat(file)).mode & 0o777));
    await openTestStore(testLogger, { dataDir, databaseUrl: undefined });
    expect(await modes()).toEqual([0o600, 0o600, 0o600]);
    for (const file of files) await chmod(file, 0o644);
    await openTestStore(testLogger, { dataDir, databaseUrl: undefined });
    expect(await modes()).toEqual([0o600, 0o600, 0o600]);
  });

  it("runs transactions one after the other, so that none works on what another is changing", async () => {
    const { db } = await openTestStore(testLogger);
    await db.insertInto("abTest").values({ name: "counted", validFrom: 0, validTo: null }).execute();
    const addOne = () =>
      db.transaction().execute(async (transaction) => {
        const { validFrom } = await transaction.selectFrom("abTest").select("validFrom").executeTakeFirstOrThrow();
        await transaction
          .updateTable("abTest")
          .set({ validFrom: validFrom + 1 })
          .execute();
      });
    await Promise.all(Array.from({ length: 20 }, addOne));
    expect(await db.selectFrom("abTest").select("validFrom").execute()).toEqual([{ validFrom: 20 }]);
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
  ])("stops the start with one line when %s", async (_what, prepare) => {
    const { dataDir } = await createStorePlace();
    const folder = join(dataDir, "data");
    await prepare(folder);
    await expect(openTestStore(testLogger, { dataDir: folder, databaseUrl: undefined })).rejects.toMatchObject({
      name: "StartError",
      faults: [expect.stringMatching(/^store: can't open SQLite in \/.*\/data \(\w[^\n]+\)$/)],
    });
  });
});
