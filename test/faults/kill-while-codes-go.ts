import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { type Milliseconds, minute, second } from "../../client/rules/time.ts";
import germany from "../../countries/de.ts";
import { importCodes } from "../../server/features/newsletter/embedded/voucher-codes.ts";
import { subscriberPaths } from "../../server/features/newsletter/service.ts";
import { createLogger } from "../../server/platform/logger.ts";
import { type Database, openStore } from "../../server/store/open-store.ts";
import { callerOf, openNewsletter, signUpOf } from "../support/newsletter-test.ts";
import { onStore, type Replica, startReplica } from "../support/start-process.ts";
import { createStorePlace, type StorePlace } from "../support/test-store.ts";
import { atLeast, type Figure, none, type Proof, scaled, type Trial } from "./proof.ts";

/** The number of concurrent confirmations. */
const atOnce = 8;
/** The number of confirmations between two kills: at least one, at most this many. */
const mostAnswers = 8;
/** The maximum time until nobody waits any more. */
const limit: Milliseconds = 2 * minute;

export const killWhileCodesGo: Proof = {
  name: "kill -9 while imported codes go",
  does: "Kills the service over and over while people confirm and get the codes of a till, until none is left; and again while the waiting emails get new ones. In the end every subscriber has one code, in one email, and no code is lost or was given twice.",
  async run(trial) {
    const folder = await mkdtemp(join(tmpdir(), "till-"));
    await mkdir(join(folder, "countries"));
    const { newsletter } = germany;
    const country = { ...germany, newsletter: { ...newsletter, voucher: { discount: 10, codes: "imported" } } };
    await writeFile(join(folder, "countries/de.json"), JSON.stringify(country));
    const places = {
      SQLite: await createStorePlace(),
      PostgreSQL: await createStorePlace(undefined, trial.postgresUrl),
    };
    const figures = Object.entries(places).map(([title, place]) => killOn(title, place, folder, trial));
    return (await Promise.all(figures).finally(() => rm(folder, { recursive: true }))).flat();
  },
};

async function killOn(title: string, place: StorePlace, shop: string, trial: Trial): Promise<Figure[]> {
  const rounds = fc.sample(fc.integer({ min: 1, max: mostAnswers }), {
    seed: trial.seed,
    numRuns: scaled(60, trial, 3),
  });
  const people = rounds.reduce((sum, answers) => sum + answers, 0) + atOnce;
  const codes = Array.from({ length: people }, (_, index) => `TILL${index}`);
  const half = Math.ceil(people / 2);
  const { db, close } = await openStore({ ...place, logger: createLogger({ level: "warn" }) });
  const start = () => startReplica({ ...onStore(place), SHOP_DIR: shop });

  const tokens = await signUpAll(db, people);
  await importCodes(db, "DE", codes.slice(0, half), Date.now());
  for (const answers of rounds) await killWhileConfirming(await start(), tokens, answers);
  const last = await start();
  for (const token of tokens) await confirm(last.port, token);
  await last.kill();
  const waited = await countWaiting(db);

  await importCodes(db, "DE", codes.slice(half), Date.now());
  for (let kills = scaled(10, trial, 2); kills > 0; kills--) await killWhileWelcoming(await start(), db);
  await settle(db, start);
  const figures = await compare(title, place, db, codes);
  await close();
  return [
    atLeast(`${title}: kills`, rounds.length, scaled(60, trial)),
    atLeast(`${title}: had to wait for a code`, waited, people - half),
    ...figures,
  ];
}

/**
 * Signs people up, by a service in this process, without sending their emails.
 * @returns the tokens of their links
 */
async function signUpAll(db: Database, people: number): Promise<string[]> {
  const { newsletter } = await openNewsletter(db, { startsAt: Date.now() });
  const emails = Array.from({ length: people }, (_, index) => `visitor-${index}@shop.example`);
  await Promise.all(emails.map((email) => newsletter.subscribe(signUpOf(email), callerOf("DE"))));
  const asked = await db.deleteFrom("mailOutbox").returning("data").execute();
  return asked.map(({ data }) => JSON.parse(data).subscriberToken);
}

/** Confirms until enough answers have come, and kills the service then. Puts back what got no answer. */
async function killWhileConfirming(service: Replica, tokens: string[], enough: number): Promise<void> {
  let answers = 0;
  const keepPressing = async () => {
    while (answers < enough) {
      const token = tokens.shift();
      if (token === undefined) return;
      if (await confirm(service.port, token)) answers++;
      else tokens.push(token);
    }
    service.signal("SIGKILL");
  };
  await Promise.all(Array.from({ length: atOnce }, keepPressing));
  await service.kill();
}

/** Kills a service as soon as it has given codes to some of those who wait. */
async function killWhileWelcoming(service: Replica, db: Database): Promise<void> {
  const before = await countWaiting(db);
  for (let left = before; left > 0 && left === before; left = await countWaiting(db)) await pause(1);
  await service.kill();
}

/** @returns whether the service has answered that the sign-up is confirmed */
async function confirm(port: number, token: string): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}${subscriberPaths[0]}/${token}/doi`, {
    method: "PUT",
    headers: { Origin: `http://127.0.0.1:${port}`, "X-Site": "DE", "X-hunter-csrf": "1" },
  }).catch(() => undefined);
  return (await answer?.text().catch(() => undefined)) !== undefined && answer?.ok === true;
}

async function countWaiting(db: Database): Promise<number> {
  return (await db.selectFrom("voucherWait").select("subscriptionId").execute()).length;
}

/** Lets a service give the codes that are left, and send the emails. */
async function settle(db: Database, start: () => Promise<Replica>): Promise<void> {
  // The leases of killed services would take minutes.
  await db.updateTable("mailOutbox").set({ leasedUntil: null, nextAttemptAt: 0 }).execute();
  const service = await start();
  const queued = db.selectFrom("mailOutbox").select("id").where("state", "=", "queued");
  const isBusy = async () => (await countWaiting(db)) > 0 || (await queued.executeTakeFirst()) !== undefined;
  for (const end = performance.now() + limit; await isBusy(); await pause(second / 4))
    if (performance.now() > end) throw new Error(`emails wait after ${limit / second} s`);
  await service.kill();
}

/** Compares the codes in the store with those in the emails. */
async function compare(
  title: string,
  { dataDir }: StorePlace,
  db: Database,
  codes: readonly string[],
): Promise<Figure[]> {
  const subscribers = await db
    .selectFrom("newsletterSubscription")
    .leftJoin("voucher", "voucher.subscriptionId", "newsletterSubscription.id")
    .select(["email", "state", "code"])
    .execute();
  const left = await db.selectFrom("voucherCode").select("code").where("takenAt", "is", null).execute();
  const given = subscribers.flatMap(({ code }) => code ?? []);
  const mails = await readMails(join(dataDir, "outbox"));
  const mailed = Map.groupBy(mails, ({ code }) => code);
  return [
    atLeast(`${title}: mailed codes`, mailed.size, codes.length),
    none(
      `${title}: subscribers without an email with their code`,
      subscribers
        .filter(({ email, state, code }) => state !== "confirmed" || mailed.get(code ?? "")?.[0]?.to !== email)
        .map(({ email }) => email),
    ),
    none(
      `${title}: codes mailed twice`,
      [...mailed].flatMap(([code, { length }]) => (length > 1 ? [code] : [])),
    ),
    none(
      `${title}: codes that nobody has`,
      codes.filter((code) => !given.includes(code)),
    ),
    none(
      `${title}: codes given that count as left`,
      left.map(({ code }) => code),
    ),
  ];
}

/** Reads the recipient of each email in a folder, and the code in it. */
async function readMails(outbox: string): Promise<{ to: string; code: string }[]> {
  const files = (await readdir(outbox)).filter((name) => name.endsWith(".eml"));
  return Promise.all(
    files.map(async (name) => {
      const { to, text = "" } = await PostalMime.parse(await readFile(join(outbox, name)));
      return { to: to?.[0]?.address ?? "", code: /TILL\d+/.exec(text)?.[0] ?? "none" };
    }),
  );
}
