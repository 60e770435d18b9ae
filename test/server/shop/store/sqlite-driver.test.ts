import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { takeTurns } from "../../../../server/shop/mail/mail-budgets.ts";
import { createThrottle } from "../../../../server/shop/sign-in/throttle.ts";
import type { Database } from "../../../../server/shop/store/open-store.ts";
import { createRateLimiter } from "../../../../server/shop/store/rate-limiter.ts";
import { testLogger } from "../../../support/test-app.ts";
import { createStorePlace, openTestStore } from "../../../support/test-store.ts";

const { prototype } = await open(import.meta.filename).then(async (file) => {
  await file.close();
  return { prototype: Object.getPrototypeOf(file) };
});

/** Lets the disk take what is given to it only when the test says so. */
function holdDisk() {
  const waiting: { resolve(): void; reject(error: Error): void }[] = [];
  const sync = vi.spyOn(prototype, "datasync").mockImplementation(
    () =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ resolve, reject });
      }),
  );
  onTestFinished(() => sync.mockRestore());
  return { sync, waiting };
}

const testOf = (name: string) => ({ name, validFrom: 0, validTo: null });
const addTest = (db: Database, name: string) => db.insertInto("abTest").values(testOf(name)).execute();
const addInTransaction = (db: Database, name: string) =>
  db.transaction().execute((transaction) => transaction.insertInto("abTest").values(testOf(name)).execute());
const names = async (db: Database) =>
  (await db.selectFrom("abTest").select("name").orderBy("name").execute()).flatMap(Object.values);

describe("a change in SQLite", () => {
  it("is done when the disk has it; all that come while the disk is busy wait for it once", async () => {
    const { db } = await openTestStore(testLogger);
    const { sync, waiting } = holdDisk();
    const done: string[] = [];
    const changes = ["a", "b", "c", "d", "e"].map((name, index) =>
      (index % 2 ? addTest : addInTransaction)(db, name).then(() => done.push(name)),
    );
    await expect.poll(() => names(db)).toEqual(["a", "b", "c", "d", "e"]);
    expect(done).toEqual([]);
    waiting.shift()?.resolve();
    await expect.poll(() => waiting).toHaveLength(1);
    await expect.poll(() => done).toEqual(["a"]);
    waiting.shift()?.resolve();
    await Promise.all(changes);
    expect(sync).toHaveBeenCalledTimes(2);
  });

  it("doesn't wait for the disk when it counts for a limit", async () => {
    const { db } = await openTestStore(testLogger);
    const limiter = createRateLimiter(db, [{ name: "budget", points: 1, duration: 1_000 }]);
    const throttle = createThrottle(db, Buffer.from("secret"));
    await limiter.consume("first", 0);
    const { sync } = holdDisk();
    expect([await limiter.consume("key", 0), await limiter.consume("key", 0)]).toEqual([0, 1_000]);
    await throttle.begin("ada@shop.example", 0);
    await throttle.forget("ada@shop.example");
    await takeTurns(db, ["DE"], 0);
    expect(sync).not.toHaveBeenCalled();
  });

  it("fails when the disk doesn't take it, and the next ones don't rely on what is missing there", async () => {
    const place = await createStorePlace();
    const { db } = await openTestStore(testLogger, place);
    const { sync, waiting } = holdDisk();
    const failing = expect(addInTransaction(db, "failed")).rejects.toThrow("EIO");
    await expect.poll(() => waiting).toHaveLength(1);
    waiting.shift()?.reject(new Error("EIO"));
    await failing;

    await addTest(db, "next");
    const log = join(place.dataDir, "storefront.sqlite-wal");
    expect((await stat(log)).size, "all is in the file, synced by SQLite").toBe(0);
    expect(sync).toHaveBeenCalledTimes(1);
    const last = addTest(db, "last");
    await expect.poll(() => waiting).toHaveLength(1);
    waiting.shift()?.resolve();
    await last;
  });
});

describe("a store in SQLite", () => {
  it("reads what is committed while a transaction is under way, here or elsewhere", async () => {
    const place = await createStorePlace();
    const { db } = await openTestStore(testLogger, place);
    const other = new DatabaseSync(join(place.dataDir, "storefront.sqlite"));
    onTestFinished(() => other.close());
    await addTest(db, "committed");
    await db.transaction().execute(async (transaction) => {
      await transaction.insertInto("abTest").values(testOf("under-way")).execute();
      expect(await names(db)).toEqual(["committed"]);
      expect(await names(transaction)).toEqual(["committed", "under-way"]);
    });
    other.exec("begin immediate");
    expect(await names(db)).toEqual(["committed", "under-way"]);
  });
});
