import { expect, it } from "vitest";
import { hour, minute, second } from "../../../client/rules/time.ts";
import type { ReportEvent } from "../../../server/platform/security-events.ts";
import { createNetworkLimiter } from "../../../server/store/network-limiter.ts";
import { networkOf, networksOf } from "../../../server/store/networks.ts";
import { testLogger } from "../../support/test-app.ts";
import { openTestStore, testKeys } from "../../support/test-store.ts";

const { db } = await openTestStore(testLogger);
const events: Parameters<ReportEvent>[0][] = [];

/** The limiter of a replica; each name has its own counts. */
function createLimiter(name: string, [perMinute, perHour] = [2, 3]) {
  return createNetworkLimiter(db, testKeys, { name, perMinute, perHour }, (event) => events.push(event));
}

it("lets an address use up its budgets, then returns how long to wait, and starts again", async () => {
  const [{ consume }, { wait }] = [createLimiter("waits"), createLimiter("waits")];
  const [address, other] = ["192.0.2.1", "192.0.2.2"];
  expect([await consume(address, 0), await wait(address, 100), await consume(address, 100)]).toEqual([0, 0, 0]);
  expect(await wait(address, 20 * second), "without a use").toBe(40 * second);
  expect(await consume(address, 20 * second)).toBe(40 * second);
  expect(await consume(address, minute - 1)).toBe(1);
  expect(await consume(other, minute - 1)).toBe(0);
  expect(await consume(address, minute)).toBe(hour - minute);
  expect(await consume(address, hour)).toBe(0);
});

it("shares counts with other replicas, and keeps them across a restart", async () => {
  const waits = [];
  for (const { consume } of [1, 2, 3].map(() => createLimiter("replicas"))) waits.push(await consume("192.0.2.1", 0));
  expect(waits).toEqual([0, 0, minute]);
});

it("reports a used up budget once per network and period, whichever replica used it up", async () => {
  const network = "192.0.2.1";
  const { consume, wait } = createLimiter("reports");
  const reported = (limit: string) => ({ event: "excess_rate_limit_exceeded", key: network, limit });
  events.length = 0;
  for (let i = 0; i < 9; i++) await consume(network, 0);
  expect(events.splice(0)).toEqual([reported("reports-minute")]);
  for (let i = 0; i < 9; i++) await Promise.all([consume(network, minute), wait(network, minute)]);
  expect(events.splice(0)).toEqual([reported("reports-hour")]);
  const replica = createLimiter("reports");
  for (let i = 0; i < 9; i++) await replica.wait(network, minute);
  expect(events).toEqual([reported("reports-hour")]);
});

it("counts the calls of a blocked network only if they have happened in spite of it", async () => {
  const { consume, record } = createLimiter("blocked", [2, 4]);
  const [refused, recorded] = ["192.0.2.1", "192.0.2.2"];
  for (let i = 0; i < 9; i++) await consume(refused, 0);
  for (let i = 0; i < 4; i++) expect(await record(recorded, 0)).toBe(i < 2 ? 0 : minute);
  expect(await consume(refused, minute), "of its hour, three of four are used").toBe(0);
  expect(await consume(recorded, minute), "of its hour, all are used").toBe(hour - minute);
});

it("answers a blocked network without the database, and fails for others without it", async () => {
  const { db } = await openTestStore(testLogger);
  const { consume, record, wait } = createNetworkLimiter(
    db,
    testKeys,
    { name: "outage", perMinute: 1, perHour: 9 },
    () => undefined,
  );
  const [name, cause] = ["UnavailableError", expect.any(Error)];
  const [blocked, other] = ["192.0.2.1", "192.0.2.2"];
  for (let i = 0; i < 2; i++) await consume(blocked, 0);
  await db.schema.dropTable("rateLimit").execute();
  expect([await consume(blocked, second), await wait(blocked, second)]).toEqual([59 * second, 59 * second]);
  const uses = [() => consume(other, second), () => record(blocked, second), () => consume(blocked, minute)];
  for (const use of uses)
    await expect(use()).rejects.toMatchObject({ name, message: "the database can't be written", cause });
  await expect(wait(other, second)).rejects.toMatchObject({ name, message: "the database can't be read", cause });
});

it.each([
  ["an IPv4 address", () => "192.0.2.1"],
  ["the /56s of a /48", (i: number) => `2001:db8:1:${(i * 0x100).toString(16)}::1`],
])("counts every one of many concurrent calls of %s", async (what, addressOf) => {
  const { consume } = createLimiter(`busy ${what}`, [50, 50]);
  const waits = await Promise.all(Array.from({ length: 80 }, (_none, i) => consume(addressOf(i), 0)));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(50);
});

it.each([
  ["an IPv4 address", 3, () => "192.0.2.1"],
  ["a /64", 1, (i: number) => `2001:db8:1:2:${i}::1`],
  ["a /56 with many /64s", 2, (i: number) => `2001:db8:1:${(0x200 + i).toString(16)}::1`],
  ["a /48 with many /56s", 3, (i: number) => `2001:db8:1:${(i * 0x100).toString(16)}::1`],
])("gives a network the more of both budgets the wider it is: %s, %i thirds", async (what, thirds, addressOf) => {
  const budgets: [number, number, number][] = [
    [6, 99, minute],
    [99, 6, hour],
  ];
  for (const [perMinute, perHour, wait] of budgets) {
    const { consume } = createLimiter(`${what} ${wait}`, [perMinute, perHour]);
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) waits.push(await consume(addressOf(i), 0));
    expect(waits).toEqual(waits.map((_wait, i) => (i < 2 * thirds ? 0 : wait)));
  }
});

it("counts an IPv6 address to its /64, /56 and /48, and an IPv4 address to itself", () => {
  const [own, ...wider] = networksOf("2001:db8:1:2ff::1");
  expect([own, ...wider].map((network) => network?.bits)).toEqual([64, 56, 48]);
  expect(networksOf("2001:db8:1:200::1").slice(1)).toEqual(wider);
  expect(networksOf("2001:db8:1:300::1").slice(2)).toEqual(wider.slice(1));
  expect(networksOf("2001:db8:1:300::1")[1]).not.toEqual(wider[0]);
  expect(networksOf("2001:0DB8:1:2ff:ffff:0:0:9")[0]).toEqual(own);
  expect(networksOf("10b::1"), "bytes 1 and 11").not.toEqual(networksOf("b01::1"));
  expect(networkOf("2001:db8:1:2ff::1")).toBe(wider[1]?.name);
  expect(networkOf("192.0.2.1")).toBe("192.0.2.1");
});

it.each(["192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201", "::ffff:0:192.0.2.1", "64:ff9b::192.0.2.1"])(
  "counts an IPv4 address alike, however IPv6 writes it: %s",
  (address) => {
    expect(networksOf(address)).toEqual([{ name: "192.0.2.1", bits: 32 }]);
  },
);

it.each([undefined, "", "unknown", "192.0.2.1, 192.0.2.2", "192.0.2.256"])(
  "counts all that is no address as one network: %s",
  (address) => {
    expect(networksOf(address)).toEqual([{ name: "unknown", bits: 32 }]);
  },
);
