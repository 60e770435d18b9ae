/**
 * Measures how long a login takes for an address without an account, a wrong password, and a locked account. An
 * observer could tell apart what differs. It runs on SQLite, or on the database of TEST_DATABASE_URL.
 *
 *   tsx test/bench/login-timing.ts [rounds]
 */

import { minute } from "../../client/rules/time.ts";
import { customerAccounts } from "../../server/shop/login/customer-accounts.ts";
import { callerWith, openLogin, password } from "../support/login-test.ts";
import { closeTestStores } from "../support/test-store.ts";

const rounds = Number(process.argv[2] ?? 500);
const bench = await openLogin();
await customerAccounts.add(bench.db, { email: "bea@shop.example", password });
const locked = await customerAccounts.find(bench.db, "bea@shop.example");
if (locked) await customerAccounts.setLocked(bench.db, locked, true);

const kinds = {
  unknown: { email: "zoe@shop.example", password },
  wrong: { email: "ada@shop.example", password: "wrong horse battery staple" },
  locked: { email: "bea@shop.example", password },
};
const times = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]));
for (let round = 0; round < rounds; round++) {
  for (const [kind, request] of shuffled(Object.entries(kinds))) {
    const start = performance.now();
    const { status } = await bench.login.login(request, callerWith());
    times.get(kind)?.push(performance.now() - start);
    if (status !== "unauthorized") throw new Error(`${kind}: ${status}`);
  }
  bench.pass(60 * minute);
}
console.table(
  Object.fromEntries(
    [...times].map(([kind, all]) => [
      kind,
      { "p10 ms": at(all, 0.1), "p50 ms": at(all, 0.5), "p90 ms": at(all, 0.9), "told from unknown": told(kind) },
    ]),
  ),
);
await closeTestStores();

/** Gives the part of all pairs in which the time of this kind is the longer one: 0.50 tells nothing. */
function told(kind: string): string {
  const unknown = times.get("unknown") ?? [];
  const longer = (times.get(kind) ?? []).map((time) => unknown.filter((other) => time > other).length / unknown.length);
  return (longer.reduce((sum, share) => sum + share, 0) / longer.length).toFixed(3);
}

function at(values: number[], share: number): string {
  return (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0).toFixed(2);
}

function shuffled<T>(list: T[]): T[] {
  return list
    .map((value) => ({ value, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ value }) => value);
}
