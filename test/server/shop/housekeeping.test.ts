import { afterEach, expect, it, vi } from "vitest";
import { day, minute } from "../../../client/rules/time.ts";
import { createMetrics } from "../../../server/metrics.ts";
import { createHousekeeping } from "../../../server/shop/housekeeping.ts";
import { askTime } from "../../../server/shop/store/ask-time.ts";
import { createTestLog } from "../../support/test-log.ts";
import { openTestStore } from "../../support/test-store.ts";

afterEach(() => vi.useRealTimers());

it("the database tells the time", async () => {
  const { db } = await openTestStore(createTestLog().logger);
  expect(Math.abs((await askTime(db)) - Date.now())).toBeLessThan(minute);
});

it("nothing is removed at the start, nor by a clock that was set wrong; it says so, and goes on when it is right", async () => {
  const { logger, lines } = createTestLog();
  const metrics = createMetrics();
  const { db } = await openTestStore(logger);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"], now: Date.now() });
  const keepHouse = vi.fn(async () => undefined);
  const housekeeping = createHousekeeping(keepHouse, db, { logger, metrics });
  const runs = async () =>
    (await metrics.housekeepings.get()).values.map(({ labels, value }) => [labels.outcome, value]);
  housekeeping.start();
  expect(keepHouse).not.toHaveBeenCalled();

  const right = Date.now();
  const afterInterval = async (clock: number) => {
    vi.setSystemTime(clock - 10 * minute);
    vi.advanceTimersByTime(10 * minute);
    const before = JSON.stringify(await runs());
    await vi.waitUntil(async () => JSON.stringify(await runs()) !== before);
  };
  await afterInterval(right + 40 * day);
  expect(keepHouse).not.toHaveBeenCalled();
  const outage = { reason: "the clock has jumped", msg: "the service doesn't do its housekeeping" };
  expect(lines).toMatchObject([outage]);
  await afterInterval(right);
  await afterInterval(right);
  expect(keepHouse).toHaveBeenCalledOnce();
  expect(await runs()).toEqual([
    ["done", 1],
    ["failed", 0],
    ["left out", 2],
  ]);
  expect(lines).toMatchObject([outage, { failures: 2, msg: "the service does its housekeeping again" }]);
  await housekeeping.close();
});
