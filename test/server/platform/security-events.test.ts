import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createMetrics } from "../../../server/platform/metrics.ts";
import { createSecurityEvents, type ReportEvent } from "../../../server/platform/security-events.ts";
import { createTestLog } from "../../support/test-log.ts";
import { keysOf } from "../../support/test-store.ts";

const account = "ada@shop.example";
const network = "192.0.2.7";
const events: Parameters<ReportEvent>[0][] = [
  { event: "authn_login_lock", kind: "customer", account, reason: "tries", network },
  { event: "authn_token_reuse", kind: "customer", account },
  { event: "excess_rate_limit_exceeded", limit: "login-minute", key: network },
];

/** Returns the lines of the events, as a service with this secret logs them. */
function linesWith(secret: Buffer, metrics = createMetrics()) {
  const { logger, lines } = createTestLog();
  const report = createSecurityEvents(keysOf(secret), logger, metrics);
  for (const event of events) report(event);
  return lines;
}

it("logs an event as one line that names accounts and networks by a keyed hash", () => {
  const secret = randomBytes(32);
  const lines = linesWith(secret);
  expect(lines).toEqual([
    expect.objectContaining({ event: "authn_login_lock", kind: "customer", reason: "tries", level: 40 }),
    expect.objectContaining({ event: "authn_token_reuse", kind: "customer", level: 40 }),
    expect.objectContaining({ event: "excess_rate_limit_exceeded", limit: "login-minute", level: 40 }),
  ]);
  const [lock, reuse, limit] = lines;
  expect(lock?.account).toMatch(/^[\w-]{16}$/);
  expect([reuse?.account, limit?.key]).toEqual([lock?.account, lock?.network]);
  expect(JSON.stringify(lines)).not.toMatch(/ada@|192\./);
  expect(linesWith(secret).map((line) => line.account)).toEqual(lines.map((line) => line.account));
  expect(linesWith(randomBytes(32))[0]?.account).not.toBe(lock?.account);
});

it("counts an event by its name and limit, every event from 0", async () => {
  const metrics = createMetrics();
  linesWith(randomBytes(32), metrics);
  const { values } = await metrics.securityEvents.get();
  expect(values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels, value])).toEqual([
    [{ event: "authn_login_lock" }, 1],
    [{ event: "authn_token_reuse" }, 1],
    [{ event: "excess_rate_limit_exceeded", limit: "login-minute" }, 1],
  ]);
  expect(values).toContainEqual(expect.objectContaining({ labels: { event: "authn_token_revoked" }, value: 0 }));
});
