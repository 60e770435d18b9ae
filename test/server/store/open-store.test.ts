import { describe, expect, it } from "vitest";
import type { Database } from "../../../server/store/open-store.ts";
import { testLogger } from "../../support/test-app.ts";
import { openTestStore } from "../../support/test-store.ts";

const start = Date.UTC(2026, 0, 1);
const addTest = (db: Database, name: string) =>
  db.insertInto("abTest").values({ name, validFrom: start, validTo: null }).execute();

describe("a store", () => {
  it("keeps other queries out of an open transaction", async () => {
    const { db } = await openTestStore(testLogger);
    const failing = db.transaction().execute(async (transaction) => {
      await transaction.insertInto("abTest").values({ name: "taken-back", validFrom: start, validTo: null }).execute();
      throw new Error("planted failure");
    });
    await Promise.allSettled([failing, addTest(db, "meanwhile"), addTest(db, "meanwhile-too")]);
    expect(await db.selectFrom("abTest").select("name").orderBy("name").execute()).toEqual([
      { name: "meanwhile" },
      { name: "meanwhile-too" },
    ]);
  });

  it("rejects a promotion for an A/B test without its group", async () => {
    const { db } = await openTestStore(testLogger);
    await addTest(db, "lonely");
    const promotion = {
      id: "1",
      key: "SHOP_FOOTER",
      site: "DE",
      headline: "-",
      text: "-",
      linkUrl: "/",
      linkText: "-",
    };
    const insert = db
      .insertInto("promotion")
      .values({ ...promotion, validFrom: start, validTo: null, test: "lonely", testGroup: null });
    await expect(insert.execute()).rejects.toThrow(/check constraint/i);
  });
});
