/**
 * Measures how long a sign-up takes for an address that is new, pending, confirmed, suppressed, or was lately mailed to.
 * An observer could tell apart what differs. It runs on SQLite, or on the database of TEST_DATABASE_URL.
 *
 *   tsx test/bench/newsletter-timing.ts
 */
import { setTimeout as pause } from "node:timers/promises";
import { day, type Milliseconds } from "../../client/rules/time.ts";
import { inTransaction } from "../../server/shop/store/in-transaction.ts";
import type { Database } from "../../server/shop/store/open-store.ts";
import { callerOf, lastMail, openNewsletter, signUp, signUpOf } from "../support/newsletter-test.ts";
import { testLogger } from "../support/test-app.ts";
import { closeTestStores, createStorePlace, openTestStore } from "../support/test-store.ts";

/** The time that the answer takes at least: see create-newsletter.ts. */
const answerAfter = 40;

console.log("the work alone");
console.table(await measureAll({ rounds: 200, answerAfter: 0, roundTrip: 0 }));
console.log("the answer");
console.table(await measureAll({ rounds: 200, answerAfter, roundTrip: 0 }));
console.log("the answer, with a database that is 8 ms away");
console.table(await measureAll({ rounds: 40, answerAfter, roundTrip: 8 }));
await closeTestStores();

interface Setting {
  rounds: number;
  answerAfter: Milliseconds;
  /** How much later the result of each statement comes. */
  roundTrip: Milliseconds;
}

async function measureAll({ rounds, answerAfter, roundTrip }: Setting) {
  const addresses = (kind: string) => Array.from({ length: rounds }, (_, i) => `${kind}-${i}@shop.example`);
  const delay = { time: 0 };
  const { db: store } = await openTestStore(testLogger, await createStorePlace());
  const bench = await openNewsletter(store, answerAfter, (db) => delayed(db, delay));
  const kinds = {
    fresh: addresses("fresh"),
    pending: addresses("pending"),
    confirmed: addresses("confirmed"),
    suppressed: addresses("suppressed"),
  };
  for (const email of [...kinds.pending, ...kinds.confirmed]) await signUp(bench, email);
  for (const email of kinds.confirmed) {
    await bench.newsletter.confirm((await lastMail(bench.db, email, "confirm")).subscriberToken, callerOf("DE"));
  }
  for (const email of kinds.suppressed) {
    await inTransaction(bench.db, (transaction) => bench.suppression.suppress(transaction, email, bench.now()));
  }
  bench.pass(2 * day);
  delay.time = roundTrip;

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

function delayed(db: Database, delay: { time: Milliseconds }): Database {
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (delay.time > 0) await pause(delay.time);
      return result;
    },
  });
}

function at(values: number[], share: number): string {
  return (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0).toFixed(2);
}
