import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, minute, second } from "../../client/rules/time.ts";
import { findSites } from "../../server/config/country-files.ts";
import { createLogger } from "../../server/platform/logger.ts";
import { type Database, openStore } from "../../server/store/open-store.ts";
import { sendRequest } from "../fuzz/send-request.ts";
import { onStore, startReplica } from "../support/start-process.ts";
import type { StorePlace } from "../support/test-store.ts";
import { atLeast, type Figure, none } from "./proof.ts";

const sites = findSites("countries");

export interface Footers {
  asked: number;
  /** The answers that were no footers. */
  failed: string[];
}

/** Asks for the footers of all sites in turn. */
export async function askFooter(port: number, footers: Footers): Promise<void> {
  const path = `/fragments/footer/${sites[footers.asked++ % sites.length]}`;
  const answer = await sendRequest(port, { method: "GET", path, headers: {} }).catch(() => undefined);
  if (answer?.status !== 200) footers.failed.push(`${path}: ${answer?.status ?? "no answer"}`);
}

/** Nobody waits longer for an answer. */
const patience: Milliseconds = 20 * second;

export interface Visitors {
  /** Addresses whose sign-up was acknowledged. */
  acknowledged: ReadonlySet<string>;
  /** Addresses whose sign-up wasn't acknowledged, and is tried again. */
  unanswered: readonly string[];
  /**
   * Signs up one of the unanswered, or else somebody new, each from a network of their own.
   * @returns whether the service has answered
   * @throws Error at any other answer than that the sign-up is taken
   */
  signUp(port: number): Promise<boolean>;
}

/** Creates visitors of whom nobody has signed up yet. */
export function createVisitors(): Visitors {
  const acknowledged = new Set<string>();
  const unanswered: string[] = [];
  let count = 0;

  return {
    acknowledged,
    unanswered,
    async signUp(port) {
      const email = unanswered.shift() ?? `visitor-${count++}@shop.example`;
      const status = await sendSignUp(port, email);
      if (status === 202) acknowledged.add(email);
      else unanswered.push(email);
      if (status !== 202 && status !== undefined) throw new Error(`a sign-up was answered with ${status}`);
      return status !== undefined;
    },
  };
}

/**
 * Signs an address up, from a network that its digits name.
 * @returns the status; undefined when the service hasn't answered
 */
export async function sendSignUp(port: number, email: string): Promise<number | undefined> {
  const network = Number(email.replaceAll(/\D/g, ""));
  const answer = await fetch(`http://127.0.0.1:${port}/service/newsletter/api/internal/newsletter-subscribers`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Origin: `http://127.0.0.1:${port}`,
      "X-Forwarded-For": `10.${network >> 16}.${(network >> 8) & 255}.${network & 255}`,
      "X-Site": "DE",
      "X-hunter-csrf": "1",
    },
    body: JSON.stringify({ email }),
    signal: AbortSignal.timeout(patience),
  }).catch(() => undefined);
  // The status counts, even if the service ends before the rest of its answer.
  await answer?.text().catch(() => undefined);
  return answer?.status;
}

/** Longest time until everybody is signed up, and until the outbox is empty. */
const limit: Milliseconds = 2 * minute;

/**
 * Signs up the visitors who got no answer, waits until all mails are sent, and compares the acknowledged sign-ups with
 * those in the store.
 * @param place - of a store that no service uses any more
 */
export async function settleSignUps(
  title: string,
  place: StorePlace,
  { signUp, unanswered, acknowledged }: Visitors,
): Promise<Figure[]> {
  await endLeases(place);
  const service = await startReplica(onStore(place));
  for (const end = performance.now() + limit; unanswered.length > 0 && performance.now() < end; )
    await signUp(service.port).catch(() => pause(second / 4));
  await untilMailed(place);
  await service.kill();
  const { lost, doubled } = await countSignUps(place, acknowledged);
  return [
    atLeast(`${title}: acknowledged sign-ups`, acknowledged.size, 1),
    none(`${title}: lost`, lost),
    none(`${title}: doubled`, doubled),
  ];
}

/** Ends the leases of mails that killed services held, and the pauses behind attempts: both take minutes. */
function endLeases(place: StorePlace): Promise<unknown> {
  return inStore(place, (db) => db.updateTable("mailOutbox").set({ leasedUntil: null, nextAttemptAt: 0 }).execute());
}

/** Waits until every mail is sent. It throws when that takes too long. */
function untilMailed(place: StorePlace): Promise<void> {
  return inStore(place, async (db) => {
    const end = performance.now() + limit;
    const isLeft = () => db.selectFrom("mailOutbox").select("id").where("state", "=", "queued").executeTakeFirst();
    while (await isLeft()) {
      if (performance.now() > end) throw new Error(`mails are queued after ${limit / second} s`);
      await pause(second / 4);
    }
  });
}

/**
 * Compares what was acknowledged with what is there.
 * @returns the addresses that aren't stored or mailed at all, and those that are more than once
 */
async function countSignUps(place: StorePlace, acknowledged: ReadonlySet<string>) {
  const stored = await inStore(place, (db) => db.selectFrom("newsletterSubscription").select("email").execute());
  const outbox = join(place.dataDir, "outbox");
  const files = (await readdir(outbox)).filter((name) => name.endsWith(".eml"));
  const mailed = await Promise.all(files.map((name) => recipientOf(join(outbox, name))));
  const places = [stored.map(({ email }) => email), mailed].map((emails) => Map.groupBy(emails, (email) => email));
  const counts = (email: string) => places.map((found) => found.get(email)?.length ?? 0);
  return {
    lost: [...acknowledged].filter((email) => counts(email).includes(0)),
    doubled: [...new Set(places.flatMap((found) => [...found.keys()]))].filter((email) =>
      counts(email).some((count) => count > 1),
    ),
  };
}

async function recipientOf(file: string): Promise<string> {
  const [, recipient = ""] = /^To: (.+)$/m.exec(await readFile(file, "utf8")) ?? [];
  return recipient.trim();
}

async function inStore<T>(place: StorePlace, work: (db: Database) => Promise<T>): Promise<T> {
  const store = await openStore({ ...place, logger: createLogger({ level: "warn" }) });
  try {
    return await work(store.db);
  } finally {
    await store.close();
  }
}
