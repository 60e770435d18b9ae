import { randomUUID } from "node:crypto";
import { second } from "../../client/rules/time.ts";
import type { Database } from "../../server/store/open-store.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import { callerOf, openNewsletter, signUpOf } from "../support/newsletter-test.ts";
import { testLogger } from "../support/test-app.ts";
import { closeTestStores, createStorePlace, openTestStore, type StorePlace } from "../support/test-store.ts";
import { formatSummary, type Measure } from "./report.ts";
import { summarize, summarizeRatio } from "./summarize.ts";

const rounds = 5;
const perRound = 1000;
/** Concurrent visitors: ten for each connection to PostgreSQL. */
const atOnce = 100;

/**
 * Measures how many sign-ups per second each database takes, and how many bare inserts of one row, each counted once it is
 * durable. The difference is the cost of rate limits, proof of consent, tokens and mail.
 */
export const signUpRate: Measure = {
  name: "sign-ups",
  duration: 50 * second,
  async run() {
    const sqlite = await measureStore(await createStorePlace());
    const server = await startPostgres(["fsync=on"]);
    const postgres = await measureStore(await createStorePlace("template1", server.url));
    await server.stop();
    return {
      figures: { signUpsSqlite: sqlite.ratio, signUpsPostgres: postgres.ratio },
      table: [
        ["", "inserts/s", "sign-ups/s"],
        ["SQLite", ...sqlite.cells],
        ["PostgreSQL", ...postgres.cells],
      ],
    };
  },
};

async function measureStore(place: StorePlace) {
  const { db } = await openTestStore(testLogger, place);
  const { newsletter } = await openNewsletter(db);
  const insert = () => insertRow(db);
  const signUp = () => newsletter.subscribe(signUpOf(`${randomUUID()}@shop.example`), callerOf("DE"));
  const inserts: number[] = [];
  const signUps: number[] = [];
  for (const warmUp of [insert, signUp]) await rateOf(warmUp);
  for (let round = 0; round < rounds; round++) {
    inserts.push(await rateOf(insert));
    signUps.push(await rateOf(signUp));
  }
  await closeTestStores();
  return {
    ratio: summarizeRatio(signUps, inserts),
    cells: [inserts, signUps].map((rates) => formatSummary(summarize(rates))),
  };
}

function insertRow(db: Database) {
  const row = { key: randomUUID(), points: 1, expiresAt: 0 };
  return db.insertInto("rateLimit").values(row).execute();
}

/** Measures how many times a second the work was done. */
async function rateOf(work: () => Promise<unknown>): Promise<number> {
  let left = perRound;
  const start = performance.now();
  const repeat = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, repeat));
  return (perRound / (performance.now() - start)) * second;
}
