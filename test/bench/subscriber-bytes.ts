import { type Kysely, sql } from "kysely";
import { day, second } from "../../client/rules/time.ts";
import { createMailComposer } from "../../server/shop/mail/compose-mail.tsx";
import { createOutbox } from "../../server/shop/mail/outbox.ts";
import type { Tables } from "../../server/shop/store/tables.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import { callerOf, lastMail, openNewsletter, signUpOf } from "../support/newsletter-test.ts";
import { brand, countries, testLogger, texts } from "../support/test-app.ts";
import { closeTestStores, createStorePlace, openTestStore, type StorePlace } from "../support/test-store.ts";
import type { Measure } from "./measure.ts";

const subscribers = 500;
/** After this time no mail of a sign-up is kept: server/shop/newsletter/housekeeping.ts */
const later = 10 * day;

/** Measures what a confirmed subscriber takes of each store, at first with the mails of the sign-up and later without. */
export const subscriberBytes: Measure = {
  name: "storage",
  duration: 30 * second,
  async run() {
    const sqlite = await measureStore(await createStorePlace(), sizeOfSqlite);
    const server = await startPostgres(["fsync=off"]);
    const postgres = await measureStore(await createStorePlace("template1", server.url), sizeOfPostgres);
    await server.stop();
    return {
      figures: {},
      table: [
        ["kB of a confirmed subscriber", "first days", "later", "mails as sent"],
        ["SQLite", ...sqlite],
        ["PostgreSQL", ...postgres],
      ],
    };
  },
};

type SizeOf = (db: Kysely<Tables>) => Promise<number>;

async function measureStore(place: StorePlace, sizeOf: SizeOf): Promise<string[]> {
  const { db } = await openTestStore(testLogger, place);
  const { newsletter, pass, now } = await openNewsletter(db);
  const compose = createMailComposer({ brand, countries, texts, mailFrom: "shop@shop.example" });
  const empty = await sizeOf(db);
  for (let i = 0; i < subscribers; i++) {
    const email = `subscriber-${i}@shop.example`;
    await newsletter.subscribe(signUpOf(email), callerOf("DE"));
    await newsletter.confirm((await lastMail(db, email, "confirm")).subscriberToken, callerOf("DE"));
  }
  const mails = await createOutbox(db).lease(now(), now() + day, 2 * subscribers);
  const messages = await Promise.all(mails.map(compose));
  const mailBytes = messages.reduce((sum, { message }) => sum + message.length, 0);
  const first = await sizeOf(db);
  pass(later);
  await db
    .updateTable("mailOutbox")
    .set({ state: "sent", data: "{}", sentAt: now() - later })
    .execute();
  await newsletter.keepHouse();
  const last = await sizeOf(db);
  await closeTestStores();
  return [first - empty, last - empty, mailBytes].map((bytes) => (bytes / subscribers / 1000).toFixed(1));
}

async function sizeOfSqlite(db: Kysely<Tables>): Promise<number> {
  await sql`VACUUM`.execute(db);
  const { rows } = await sql<{ bytes: number }>`
    SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size`.execute(db);
  return Number(rows[0]?.bytes);
}

async function sizeOfPostgres(db: Kysely<Tables>): Promise<number> {
  await sql`vacuum full`.execute(db);
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db);
  return Number(rows[0]?.bytes);
}
