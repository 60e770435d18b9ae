/**
 * Measures how many sign-ups a second each store takes, and how many bare inserts of one row. The difference is what
 * limits, proof of consent, tokens and mail cost.
 *
 *   tsx test/bench/newsletter-rate.ts
 *
 * Each one counts once it is durable. Rounds take turns, so that a slow moment of the machine hits both alike.
 */
import { randomUUID } from "node:crypto";
import { second } from "../../client/rules/time.ts";
import type { Database } from "../../server/shop/store/open-store.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import { callerOf, openNewsletter, signUpOf } from "../support/newsletter-test.ts";
import { testLogger } from "../support/test-app.ts";
import { closeTestStores, createStorePlace, openTestStore } from "../support/test-store.ts";
import { formatSummary, formatTable } from "./format-table.ts";
import { summarize, summarizeRatio } from "./summarize.ts";

const rounds = 5;
const perRound = 300;
/** How many are under way at once: as many as PostgreSQL gets connections. */
const atOnce = 10;

console.log(`${rounds} rounds of ${perRound}, ${atOnce} at once; median (range)\n`);
const sqlite = await measure("SQLite");
const postgres = await startPostgres(["fsync=on"]);
process.env.TEST_DATABASE_URL = postgres.url;
const rows = [["", "inserts/s", "sign-ups/s", "sign-ups per insert"], sqlite, await measure("PostgreSQL")];
console.log(formatTable(rows));
await postgres.stop();

/** Measures one store. Returns its row of the table. */
async function measure(title: string): Promise<string[]> {
  const { db } = await openTestStore(testLogger, await createStorePlace());
  const { newsletter } = await openNewsletter(db);
  const work = {
    insert: () => insert(db),
    signUp: () => newsletter.subscribe(signUpOf(`${randomUUID()}@shop.example`), callerOf("DE")),
  };
  const rates: Record<keyof typeof work, number[]> = { insert: [], signUp: [] };
  for (const warmUp of [work.insert, work.signUp]) await rateOf(warmUp);
  for (let round = 0; round < rounds; round++) {
    rates.insert.push(await rateOf(work.insert));
    rates.signUp.push(await rateOf(work.signUp));
  }
  await closeTestStores();
  const summaries = [summarize(rates.insert), summarize(rates.signUp), summarizeRatio(rates.signUp, rates.insert)];
  return [title, ...summaries.map(formatSummary)];
}

function insert(db: Database) {
  const row = { key: randomUUID(), points: 1, expiresAt: 0 };
  return db.insertInto("rateLimit").values(row).execute();
}

/** Tells how often a second the work was done. */
async function rateOf(work: () => Promise<unknown>): Promise<number> {
  let left = perRound;
  const start = performance.now();
  const repeat = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, repeat));
  return (perRound / (performance.now() - start)) * second;
}
