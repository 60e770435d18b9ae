import { expect, it } from "vitest";
import type { SecurityEvent } from "../../../server/platform/security-events.ts";
import { createRateLimiter } from "../../../server/store/rate-limiter.ts";
import { testLogger } from "../../support/test-app.ts";
import { openTestStore, testKeys } from "../../support/test-store.ts";

const { db } = await openTestStore(testLogger);
const budgets = [
  { name: "short", points: 2, duration: 1_000 },
  { name: "long", points: 3, duration: 10_000 },
];

it("lets a key use up its budgets, then returns how long to wait, and starts again", async () => {
  const { consume } = createRateLimiter(db, testKeys, budgets);
  const { wait } = createRateLimiter(db, testKeys, budgets);
  expect([await consume("a", 0), await wait("a", 100), await consume("a", 100)]).toEqual([0, 0, 0]);
  expect(await wait("a", 400), "without a use").toBe(600);
  expect(await consume("a", 400)).toBe(600);
  expect(await consume("a", 999)).toBe(1);
  expect(await consume("b", 999), "another key").toBe(0);
  expect(await consume("a", 1_000)).toBe(9_000);
  expect(await consume("a", 10_000)).toBe(0);
});

it("shares counts with other replicas, and keeps them across a restart", async () => {
  const limiters = [1, 2, 3].map(() => createRateLimiter(db, testKeys, budgets));
  const waits = [];
  for (const { consume } of limiters) waits.push(await consume("shared", 0));
  expect(waits).toEqual([0, 0, 1_000]);
});

it("reports a used up budget once per key and period, whichever replica used it up", async () => {
  const events: SecurityEvent[] = [];
  const { consume, wait } = createRateLimiter(db, testKeys, budgets, (event) => events.push(event));
  const met = { event: "excess_rate_limit_exceeded", key: "flood" };
  for (let i = 0; i < 9; i++) await consume("flood", 0);
  expect(events).toEqual([{ ...met, limit: "short" }]);
  for (let i = 0; i < 9; i++) await Promise.all([consume("flood", 1_000), wait("flood", 1_000)]);
  expect(events).toEqual([
    { ...met, limit: "short" },
    { ...met, limit: "long" },
  ]);
  const replica = createRateLimiter(db, testKeys, budgets, (event) => events.push(event));
  for (let i = 0; i < 9; i++) await replica.wait("flood", 1_000);
  expect(events.slice(2)).toEqual([{ ...met, limit: "long" }]);
});

it("counts every one of many concurrent calls", async () => {
  const { consume } = createRateLimiter(db, testKeys, [{ name: "many", points: 50, duration: 1_000 }]);
  const waits = await Promise.all(Array.from({ length: 80 }, () => consume("busy", 0)));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(50);
});
