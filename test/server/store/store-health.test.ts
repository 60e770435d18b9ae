import { sql } from "kysely";
import { afterEach, expect, it, vi } from "vitest";
import { second } from "../../../client/rules/time.ts";
import type { Readiness } from "../../../server/platform/lifecycle.ts";
import { createMetrics } from "../../../server/platform/metrics.ts";
import { watchStore } from "../../../server/store/store-health.ts";
import { testLogger } from "../../support/test-app.ts";
import { createStorePlace, emptyTables, openTestStore } from "../../support/test-store.ts";

afterEach(() => vi.useRealTimers());

const metrics = createMetrics();
const lines = async () => (await metrics.registry.getSingleMetricAsString("store_up")).split("\n").slice(2);

it("a database that doesn't answer is reported within 5 s, while the service stays ready", async () => {
  const { db } = await openTestStore(testLogger);
  const readiness: Readiness = { state: "ready" };
  expect(await lines()).toEqual([]);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const watch = watchStore(db, { metrics, readiness });
  await watch.start();
  await vi.waitUntil(() => readiness.store === "up");
  expect(await lines()).toEqual(["store_up 1"]);

  await db.destroy();
  vi.advanceTimersByTime(5 * second);
  await vi.waitUntil(() => readiness.store === "down");
  expect(await lines()).toEqual(["store_up 0"]);
  expect(readiness.state).toBe("ready");
  await watch.close();
});

it("the metrics have the duration of statements by operation, their waits and their errors", async () => {
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
