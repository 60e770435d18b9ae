import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Database } from "../../../server/store/open-store.ts";
import { testLogger } from "../../support/test-app.ts";
import { createStorePlace, openTestStore } from "../../support/test-store.ts";

const start = Date.UTC(2026, 0, 1);
const addTest = (db: Database, name: string) =>
  db.insertInto("abTest").values({ name, validFrom: start, validTo: null }).execute();
const countTests = (db: Database) =>
  db
    .selectFrom("abTest")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();

describe("a store", () => {
  it("opens tables to which a later release has added", async () => {
    const place = await createStorePlace();
    const later = await openTestStore(testLogger, place);
    await later.db.schema.createTable("later").addColumn("id", "text").execute();
    await sql`insert into kysely_migration values ('9999-later', '9999-01-01T00:00:00.000Z')`.execute(later.db);
    const { db } = await openTestStore(testLogger, place);
    await addTest(db, "of-this-release");
    expect(await countTests(later.db)).toEqual({ count: 1 });
  });

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
