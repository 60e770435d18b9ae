/**
 * How long a sign-up takes for an address that is new, pending, confirmed, or was lately mailed to: what differs, an
 * observer could tell apart. On SQLite, or on the database of TEST_DATABASE_URL.
 *
 *   tsx test/bench/newsletter-timing.ts
 */
import {
  callerOf,
  day,
  lastMail,
  openNewsletter,
  signUp,
  signUpOf,
} from "../server/shop/newsletter/newsletter-test.ts";
import { closeTestStores } from "../test-store.ts";

const rounds = 400;
const bench = await openNewsletter();
const { db, newsletter } = bench;
const addresses = (kind: string) => Array.from({ length: rounds }, (_, i) => `${kind}-${i}@shop.example`);
const kinds = { fresh: addresses("fresh"), pending: addresses("pending"), confirmed: addresses("confirmed") };

for (const email of [...kinds.pending, ...kinds.confirmed]) await signUp(bench, email);
for (const email of kinds.confirmed) {
  await newsletter.confirm((await lastMail(db, email, "confirm")).subscriberToken, callerOf("DE"));
}
bench.pass(2 * day);

const times = new Map<string, number[]>();
for (let i = 0; i < rounds; i++) {
  for (const [kind, emails] of Object.entries(kinds)) await measure(kind, emails[i] ?? "");
  await measure("mailed", kinds.fresh[i] ?? "");
}
console.table(
  Object.fromEntries(
    [...times].map(([kind, values]) => [kind, { "p50 ms": at(values, 0.5), "p90 ms": at(values, 0.9) }]),
  ),
);
await closeTestStores();

async function measure(kind: string, email: string) {
  const start = performance.now();
  await newsletter.subscribe(signUpOf(email), callerOf("DE"));
  times.set(kind, [...(times.get(kind) ?? []), performance.now() - start]);
}

function at(values: number[], share: number): string {
  return (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0).toFixed(2);
}
