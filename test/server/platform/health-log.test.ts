import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { hour, minute, second } from "../../../client/rules/time.ts";
import { isReported } from "../../../server/platform/errors.ts";
import { createHealthLog } from "../../../server/platform/health-log.ts";
import { createTestLog } from "../../support/test-log.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

function setUp() {
  const { logger, lines } = createTestLog();
  const words = { down: "edge purge failed", up: "edge purges recovered" };
  const outage = createHealthLog(logger, { ...words, fields: { key: "edge" } });
  return { logger, outage, said: () => lines.map(({ time, ...line }) => line) };
}

it("logs one warning with the reason, and one line with count and duration on recovery", () => {
  const { outage, said } = setUp();
  outage.up();
  for (const reason of ["refused", "refused", "status 500"]) {
    outage.down({ reason, waiting: 3 });
    vi.advanceTimersByTime(10 * second);
  }
  outage.up();
  outage.up();
  expect(said()).toEqual([
    { level: 40, key: "edge", reason: "refused", waiting: 3, msg: "edge purge failed" },
    { level: 30, key: "edge", failures: 3, lastedSeconds: 30, msg: "edge purges recovered" },
  ]);
});

it("logs reminders during an outage, at intervals that grow up to an hour", () => {
  const { outage, said } = setUp();
  for (let passed = 0; passed < 5 * hour; passed += minute) {
    outage.down({ reason: "refused" });
    vi.advanceTimersByTime(minute);
  }
  expect(said().map(({ lastedSeconds = 0 }) => Number(lastedSeconds) / 60)).toEqual([
    0, 2, 6, 14, 30, 62, 122, 182, 242,
  ]);
  expect(said().at(-1)).toMatchObject({ level: 40, reason: "refused", failures: 243 });
});

it("logs one warning a minute while failures and answers alternate, and counts all of them", () => {
  const { outage, said } = setUp();
  for (let passed = 0; passed < 2 * minute; passed += second) {
    outage.down({ reason: "status 500" });
    outage.up();
    vi.advanceTimersByTime(second);
  }
  expect(said().map(({ level, failures = 1 }) => [level, failures])).toEqual([
    [40, 1],
    [30, 1],
    [40, 60],
    [30, 60],
  ]);
});

it("names the sites that fail, and recovers when all of them have", () => {
  const { outage, said } = setUp();
  const fail = (site: string) => outage.down({ reason: "status 500", site });
  for (let passed = 0; passed < 5; passed++) {
    fail("TR");
    for (const other of ["DE", "AT"]) outage.up(other);
    outage.up();
    vi.advanceTimersByTime(minute);
  }
  fail("AT");
  outage.up("TR");
  outage.up();
  outage.up("AT");
  expect(said()).toMatchObject([
    { level: 40, site: "TR" },
    { level: 40, site: "TR", failures: 3 },
    { level: 40, sites: ["TR", "AT"], failures: 6 },
    { level: 30, sites: ["TR", "AT"], failures: 6, lastedSeconds: 300 },
  ]);
  expect(said()).toHaveLength(4);
});

it("leaves an error to the health log that has reported its cause", () => {
  const { logger, outage, said } = setUp();
  const store = createHealthLog(logger, {
    down: "database statement failed",
    up: "database recovered",
  });
  const cause = new Error("planted failure");
  store.down({ err: cause });
  const error = new Error("the edge could not be told", { cause });
  expect(isReported(error)).toBe(true);
  outage.down({ err: error });
  outage.up();
  expect(said()).toMatchObject([{ level: 40, err: { type: "Error" }, msg: "database statement failed" }]);
});
