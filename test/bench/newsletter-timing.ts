/**
 * Measures how long a sign-up takes for an address that is new, pending, confirmed, or was lately mailed to. An
 * observer could tell apart what differs. It runs on SQLite, or on the database of TEST_DATABASE_URL.
 *
 *   tsx test/bench/newsletter-timing.ts
 */
import { day } from "../../client/rules/time.ts";
import { callerOf, lastMail, openNewsletter, signUp, signUpOf } from "../support/newsletter-test.ts";
import { closeTestStores } from "../support/test-store.ts";

const rounds = 200;
const addresses = (kind: string) => Array.from({ length: rounds }, (_, i) => `${kind}-${i}@shop.example`);

console.log("the work alone");
console.table(await measureAll(0));
console.log("the answer");
console.table(await measureAll(40));
await closeTestStores();

async function measureAll(answerAfter: number) {
  const bench = await openNewsletter(undefined, answerAfter);
  const kinds = { fresh: addresses("fresh"), pending: addresses("pending"), confirmed: addresses("confirmed") };
  for (const email of [...kinds.pending, ...kinds.confirmed]) await signUp(bench, email);
  for (const email of kinds.confirmed) {
    await bench.newsletter.confirm((await lastMail(bench.db, email, "confirm")).subscriberToken, callerOf("DE"));
  }
  bench.pass(2 * day);

  const times = new Map<string, number[]>();
  for (let i = 0; i < rounds; i++) {
    for (const [kind, emails] of [...Object.entries(kinds), ["mailed", kinds.fresh] as const]) {
      const start = performance.now();
      await bench.newsletter.subscribe(signUpOf(emails[i] ?? ""), callerOf("DE"));
      times.set(kind, [...(times.get(kind) ?? []), performance.now() - start]);
    }
  }
  const row = (values: number[]) => ({ "p50 ms": at(values, 0.5), "p90 ms": at(values, 0.9) });
  return Object.fromEntries([...times].map(([kind, values]) => [kind, row(values)]));
}

function at(values: number[], share: number): string {
  return (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0).toFixed(2);
}
