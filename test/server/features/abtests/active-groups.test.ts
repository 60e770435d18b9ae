import { expect, it, onTestFinished, vi } from "vitest";
import { createActiveGroups } from "../../../../server/features/abtests/active-groups.ts";
import type { PlannedTests } from "../../../../server/features/abtests/service.ts";
import { testLogger } from "../../../support/test-app.ts";

const noon = Date.UTC(2027, 2, 1, 12);
const a = { test: "colours", group: "A" };
const tests = [{ name: "colours", groups: [{ name: "A" }, { name: "B" }] }];
const active: PlannedTests = { from: noon - 1, tests };
const over = (minutes: number): PlannedTests => ({ from: noon + minutes * 60_000, tests: [] });

/** Lists the purges for a series of plans, which are fetched one after the other. */
async function purgedBy(first: PlannedTests[], ...later: PlannedTests[][]) {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"], now: noon });
  onTestFinished(() => void vi.useRealTimers());
  const purge = vi.fn(async (_key: string) => undefined);
  const planned = vi.fn(async () => first);
  const groups = createActiveGroups({ planned, findTests: async () => [] }, testLogger, purge);
  onTestFinished(() => groups.close());
  await groups.want();
  for (const plan of later) {
    planned.mockResolvedValue(plan);
    await vi.advanceTimersByTimeAsync(20_000);
  }
  return purge.mock.calls.flat();
}

it("a test that begins or ends otherwise than announced is purged by the tags of its groups", async () => {
  const tags = ["variant:colours:A", "variant:colours:B"];
  expect(await purgedBy([active], [{ ...active, tests: [] }])).toEqual(tags);
  expect(await purgedBy([{ ...active, tests: [] }], [active])).toEqual(tags);
  expect(await purgedBy([active], [active, over(10)])).toEqual(tags);
  const withoutB = [{ name: "colours", groups: [{ name: "A" }] }];
  expect(await purgedBy([active], [{ ...active, tests: withoutB }])).toEqual(["variant:colours:B"]);
});

it("an announced change is purged by nothing", async () => {
  expect(await purgedBy([active], [active])).toEqual([]);
  expect(await purgedBy([active, over(0.1)], [{ ...active, tests: [] }])).toEqual([]);
  expect(await purgedBy([active, over(10)], [active])).toEqual([]);
  // By then, no cache has what it has now.
  expect(await purgedBy([active], [active, over(20)])).toEqual([]);
});

it("the service is asked from the first request on, until nobody has asked for a quarter of an hour", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"], now: noon });
  onTestFinished(() => void vi.useRealTimers());
  const planned = vi.fn(async () => [active]);
  const groups = createActiveGroups({ planned, findTests: async () => [] }, testLogger);
  await groups.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(planned).not.toHaveBeenCalled();
  expect(groups.stateOf(a, noon)).toBeUndefined();
  await groups.want();
  expect(groups.stateOf(a, noon)).toEqual({ isActive: true, until: Infinity });
  await vi.advanceTimersByTimeAsync(14 * 60_000);
  expect(planned).toHaveBeenCalledTimes(1 + 14 * 3);
  expect(groups.stateOf(a, noon)?.isActive).toBe(true);
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  expect(planned.mock.calls.length).toBeLessThanOrEqual(1 + 14 * 3 + 15 * 3);
  expect(groups.stateOf(a, noon)).toBeUndefined();
  await groups.close();
});
