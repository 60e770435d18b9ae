import { expect, it } from "vitest";
import { testLogger } from "../../support/test-app.ts";
import { openTestStore } from "../../support/test-store.ts";

it("a transaction has no part in the changes of others", async () => {
  const { db } = await openTestStore(testLogger);
  const testOf = (name: string) => ({ name, validFrom: 0, validTo: null });
  const failing = db.transaction().execute(async (transaction) => {
    await transaction.insertInto("abTest").values(testOf("taken-back")).execute();
    throw new Error("planted failure");
  });
  const others = ["meanwhile", "meanwhile-too"].map((name) => db.insertInto("abTest").values(testOf(name)).execute());
  await Promise.allSettled([failing, ...others]);
  expect(await db.selectFrom("abTest").select("name").orderBy("name").execute()).toEqual([
    { name: "meanwhile" },
    { name: "meanwhile-too" },
  ]);
});
