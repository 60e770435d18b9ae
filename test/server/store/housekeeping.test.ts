import { afterEach, expect, it, vi } from "vitest";
import { day, minute } from "../../../client/rules/time.ts";
import { createMetrics } from "../../../server/platform/metrics.ts";
import { createHousekeeping } from "../../../server/store/housekeeping.ts";
import { createTestLog } from "../../support/test-log.ts";
import { openTestStore } from "../../support/test-store.ts";

afterEach(() => vi.useRealTimers());

/**
 * @param offFor - how long ago the last run was; undefined for no run
 */
async function startHousekeeping(offFor?: number) {
  const { logger, lines } = createTestLog();
  const metrics = createMetrics();
  const { db } = await openTestStore(logger);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"], now: Date.now() });
  const right = Date.now();
  if (offFor !== undefined)
    await db
      .insertInto("seenClock")
      .values({ id: 1, seenAt: right - offFor, heldUntil: 0 })
      .execute();
  const cleanUp = vi.fn(async () => undefined);
  const housekeeping = createHousekeeping(cleanUp, db, { logger, metrics });
  const outcomes = async () =>
    Object.fromEntries((await metrics.housekeepings.get()).values.map(({ labels, value }) => [labels.outcome, value]));
  housekeeping.start();
  const runAt = async (clock: number) => {
    const before = await outcomes();
    vi.setSystemTime(clock - 10 * minute);
    vi.advanceTimersByTime(10 * minute);
    await vi.waitFor(async () => expect(await outcomes()).not.toEqual(before));
  };
  return { db, lines, right, cleanUp, outcomes, runAt, close: () => housekeeping.close() };
}

it("doesn't run at the start or while the clock differs from the database's, reports that, and recovers", async () => {
  const { lines, right, cleanUp, outcomes, runAt, close } = await startHousekeeping();
  for (const clock of [right - 40 * day, right + 40 * day]) await runAt(clock);
  expect(lines).toMatchObject([{ reason: "the clock differs from the database's", msg: "housekeeping failed" }]);
  expect(cleanUp).not.toHaveBeenCalled();
  await runAt(right + 4 * minute);
  expect(cleanUp).toHaveBeenCalledOnce();
  expect(await outcomes()).toEqual({ done: 1, failed: 0, "left out": 2 });
  expect(lines.slice(1)).toMatchObject([{ failures: 2, msg: "housekeeping recovered" }]);
  await close();
});

it.each([
  ["ahead of", 90 * day],
  ["behind", -90 * day],
])(
  "deletes nothing for a day when the clock is months %s that of the last run, and then goes on",
  async (_what, offFor) => {
    const { db, lines, right, cleanUp, runAt, close } = await startHousekeeping(offFor);
    await runAt(right);
    const until = new Date(right + day).toISOString();
    expect(lines).toMatchObject([{ reason: expect.stringContaining(`correct it before ${until}`) }]);
    await runAt(right + minute);
    expect(cleanUp).not.toHaveBeenCalled();
    await db.updateTable("seenClock").set({ heldUntil: right }).execute();
    await runAt(right + minute);
    expect(cleanUp).toHaveBeenCalledOnce();
    expect(lines.slice(1)).toMatchObject([{ failures: 2, msg: "housekeeping recovered" }]);
    await close();
  },
);

it("runs after a restart, even if the service was off for a weekend", async () => {
  const { right, cleanUp, runAt, close } = await startHousekeeping(2.7 * day);
  await runAt(right);
  expect(cleanUp).toHaveBeenCalledOnce();
  await close();
});
