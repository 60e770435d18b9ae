import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, minute, second } from "../../client/rules/time.ts";
import { createLogger } from "../../server/logger.ts";
import { type Database, openStore } from "../../server/shop/store/open-store.ts";
import type { StorePlace } from "../support/test-store.ts";
import { atLeast, type Figure, none } from "./proof.ts";
import { onStore, startReplica } from "./start-replica.ts";
import type { Visitors } from "./visitors.ts";

/** Longest time until everybody is signed up, and until the outbox is empty. */
const limit: Milliseconds = 2 * minute;

/**
 * Signs up whoever got no answer, waits until all mails are sent, and compares what was acknowledged with what is there.
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
