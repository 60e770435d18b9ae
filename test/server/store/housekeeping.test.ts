import { afterEach, expect, it, vi } from "vitest";
import { day, hour, minute, second } from "../../../client/rules/time.ts";
import { createMetrics } from "../../../server/platform/metrics.ts";
import { createClockCheck, createHousekeeping } from "../../../server/store/housekeeping.ts";
import { databaseNow } from "../../../server/store/store-health.ts";
import { createTestLog } from "../../support/test-log.ts";
import { openTestStore } from "../../support/test-store.ts";

afterEach(() => vi.useRealTimers());

it("the database knows the time", async () => {
  const { db } = await openTestStore(createTestLog().logger);
  expect(Math.abs((await databaseNow(db)) - Date.now())).toBeLessThan(minute);
});

it("housekeeping doesn't run at the start or by a wrong clock, reports that, and recovers", async () => {
  const { logger, lines } = createTestLog();
  const metrics = createMetrics();
  const { db } = await openTestStore(logger);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"], now: Date.now() });
  const cleanUp = vi.fn(async () => undefined);
  const housekeeping = createHousekeeping(cleanUp, db, { logger, metrics });
  const runs = async () =>
    (await metrics.housekeepings.get()).values.map(({ labels, value }) => [labels.outcome, value]);
  housekeeping.start();
  expect(cleanUp).not.toHaveBeenCalled();

  const right = Date.now();
  const afterInterval = async (clock: number) => {
    vi.setSystemTime(clock - 10 * minute);
    vi.advanceTimersByTime(10 * minute);
    const before = JSON.stringify(await runs());
    await vi.waitUntil(async () => JSON.stringify(await runs()) !== before);
  };
  await afterInterval(right + 40 * day);
  expect(cleanUp).not.toHaveBeenCalled();
  const outage = { reason: "the clock has jumped", msg: "housekeeping failed" };
  expect(lines).toMatchObject([outage]);
  await afterInterval(right);
  await afterInterval(right);
  expect(cleanUp).toHaveBeenCalledOnce();
  expect(await runs()).toEqual([
    ["done", 1],
    ["failed", 0],
    ["left out", 2],
  ]);
  expect(lines).toMatchObject([outage, { failures: 2, msg: "housekeeping recovered" }]);
  await housekeeping.close();
});

/** A settable clock and a database clock, on which time passes when told to. */
function openClocks() {
  let passed = 0;
  const clocks = { own: 0, database: 0 };
  const findFault = createClockCheck({
    clock: () => clocks.own + passed,
    uptime: () => passed,
    otherNow: async () => clocks.database + passed,
  });
  const checkAfter = (time: number) => {
    passed += time;
    return findFault();
  };
  return { clocks, checkAfter };
}

it("a clock that runs evenly is trusted", async () => {
  const { clocks, checkAfter } = openClocks();
  expect(await checkAfter(10 * minute)).toBeUndefined();
  clocks.own += 2 * second;
  clocks.database -= 2 * second;
  expect(await checkAfter(10 * day)).toBeUndefined();
});

it("a clock that jumps, forwards or back, is trusted again at the second check", async () => {
  const { clocks, checkAfter } = openClocks();
  for (const jump of [40 * day, -40 * day]) {
    clocks.own += jump;
    clocks.database += jump;
    expect(await checkAfter(10 * minute)).toBe("the clock has jumped");
    expect(await checkAfter(10 * minute)).toBeUndefined();
  }
});

it("a clock isn't trusted while it differs from the database's", async () => {
  const { clocks, checkAfter } = openClocks();
  for (const difference of [hour, -hour]) {
    clocks.database = difference;
    expect(await checkAfter(10 * minute)).toBe("the clock differs from the database's");
    expect(await checkAfter(10 * minute)).toBe("the clock differs from the database's");
  }
  clocks.database = 0;
  expect(await checkAfter(10 * minute)).toBeUndefined();
});
