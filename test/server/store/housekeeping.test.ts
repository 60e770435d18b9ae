import { afterEach, expect, it, vi } from "vitest";
import { day, minute } from "../../../client/rules/time.ts";
import { createMetrics } from "../../../server/platform/metrics.ts";
import { createHousekeeping } from "../../../server/store/housekeeping.ts";
import { createTestLog } from "../../support/test-log.ts";
import { openTestStore } from "../../support/test-store.ts";

afterEach(() => vi.useRealTimers());

it("doesn't run at the start or while the clock may be wrong, reports that, and recovers", async () => {
  const { logger, lines } = createTestLog();
  const metrics = createMetrics();
  const { db } = await openTestStore(logger);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"], now: Date.now() });
  const cleanUp = vi.fn(async () => undefined);
  const housekeeping = createHousekeeping(cleanUp, db, { logger, metrics });
  const outcomes = async () =>
    Object.fromEntries((await metrics.housekeepings.get()).values.map(({ labels, value }) => [labels.outcome, value]));
  housekeeping.start();

  const right = Date.now();
  const runAt = async (clock: number) => {
    const before = await outcomes();
    vi.setSystemTime(clock - 10 * minute);
    vi.advanceTimersByTime(10 * minute);
    await vi.waitFor(async () => expect(await outcomes()).not.toEqual(before));
  };
  await runAt(right - 40 * day);
  expect(lines).toMatchObject([{ reason: "the clock has jumped", msg: "housekeeping failed" }]);
  await runAt(right - 40 * day);
  await runAt(right);
  expect(cleanUp).not.toHaveBeenCalled();
  await runAt(right + 4 * minute);
  expect(cleanUp).toHaveBeenCalledOnce();
  expect(await outcomes()).toEqual({ done: 1, failed: 0, "left out": 3 });
  expect(lines.slice(1)).toMatchObject([{ failures: 3, msg: "housekeeping recovered" }]);
  await housekeeping.close();
});
