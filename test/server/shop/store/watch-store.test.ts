import { afterEach, expect, it, vi } from "vitest";
import { second } from "../../../../client/rules/time.ts";
import type { Readiness } from "../../../../server/http/health-routes.ts";
import { createMetrics } from "../../../../server/metrics.ts";
import { watchStore } from "../../../../server/shop/store/watch-store.ts";
import { testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

afterEach(() => vi.useRealTimers());

const metrics = createMetrics();
const lines = async () => (await metrics.registry.getSingleMetricAsString("store_up")).split("\n").slice(2);

it("operators are told within 5 s that the store doesn't answer, and the service stays ready", async () => {
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
