import { sql } from "kysely";
import { expect, it } from "vitest";
import { createMetrics } from "../../../../server/metrics.ts";
import { testLogger } from "../../../support/test-app.ts";
import { createStorePlace, emptyTables, openTestStore } from "../../../support/test-store.ts";

it("operators are told how long statements took and waited, and how many failed, by what they do", async () => {
  const metrics = createMetrics();
  const { db } = await openTestStore(testLogger, { ...(await createStorePlace(emptyTables)), metrics });
  metrics.registry.resetMetrics();

  const test = { name: "name", validFrom: 0, validTo: null };
  await db.insertInto("abTest").values(test).execute();
  await db.transaction().execute(async (transaction) => {
    await transaction.updateTable("abTest").set({ validTo: 1 }).execute();
    await transaction.deleteFrom("abTest").execute();
  });
  await db.selectFrom("abTest").selectAll().execute();
  await expect(sql`nonsense`.execute(db)).rejects.toThrow(/syntax/);

  const countsOf = async (name: "statements" | "storeWaits") =>
    (await metrics[name].get()).values.filter(({ metricName }) => metricName?.endsWith("_count"));
  const counts = (await countsOf("statements")).map(({ labels, value }) => [labels.db_operation_name, value]);
  const once = ["BEGIN", "COMMIT", "DELETE", "INSERT", "UPDATE", "_OTHER"].map((name) => [name, 1]);
  expect(counts.filter(([name]) => name !== "SELECT").sort()).toEqual(once);
  expect(counts).toContainEqual(["SELECT", 1]);
  expect((await metrics.storeErrors.get()).values).toMatchObject([{ value: 1 }]);
  const [waits] = await countsOf("storeWaits");
  expect(waits?.value).toBeGreaterThanOrEqual(3);
});
