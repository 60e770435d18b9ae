import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, minute, second } from "../../client/rules/time.ts";
import { findSites } from "../../server/config/country-files.ts";
import { createLogger } from "../../server/platform/logger.ts";
import { openStore } from "../../server/store/open-store.ts";
import { sendRequest } from "../fuzz/send-request.ts";
import { onStore, startReplica } from "../support/start-process.ts";
import type { StorePlace } from "../support/test-store.ts";
import { atLeast, type Figure, none } from "./proof.ts";

const sites = findSites("countries");

export interface Footers {
  asked: number;
  /** The answers that weren't footers. */
  failed: string[];
}

/** Asks for the footers of all sites in turn. */
export async function askFooter(port: number, footers: Footers): Promise<void> {
  const path = `/fragments/footer/${sites[footers.asked++ % sites.length]}`;
  const answer = await sendRequest(port, { method: "GET", path, headers: {} }).catch(() => undefined);
  if (answer?.status !== 200)
    footers.failed.push(`${path}: ${answer ? `${answer.status} ${answer.body.slice(0, 200)}` : "no answer"}`);
}

/** Nobody waits longer for an answer. */
const patience: Milliseconds = 20 * second;

export interface Visitors {
  /** Addresses whose sign-up was acknowledged. */
  acknowledged: ReadonlySet<string>;
  /** Addresses whose sign-up wasn't acknowledged, and is tried again. */
  unanswered: readonly string[];
  /**
   * Signs up one of the unanswered addresses, or else a new one, each from a network of its own.
   * @returns whether the service has answered
   * @throws Error for any answer other than that the sign-up is accepted
   */
  signUp(port: number): Promise<boolean>;
}

/**
 * Creates visitors, none of whom has signed up yet.
 * @param send - signs an address up, and returns the status; undefined if there was no answer
 */
export function createVisitors(send = sendSignUp): Visitors {
  const acknowledged = new Set<string>();
  const unanswered: string[] = [];
  let count = 0;

  return {
    acknowledged,
    unanswered,
    async signUp(port) {
      const email = unanswered.shift() ?? `visitor-${count++}@shop.example`;
      const status = await send(port, email);
      if (status === 202) acknowledged.add(email);
      else unanswered.push(email);
      if (status !== 202 && status !== undefined) throw new Error(`a sign-up was answered with ${status}`);
      return status !== undefined;
    },
  };
}

/**
 * Signs an address up, from a network derived from its digits.
 * @returns the status; undefined if the service hasn't answered
 */
export async function sendSignUp(port: number, email: string): Promise<number | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}/service/newsletter/api/internal/newsletter-subscribers`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Origin: `http://127.0.0.1:${port}`,
      "X-Forwarded-For": `10.${networkOf(email)}`,
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

/** Derives a network from the digits of an address: the last three numbers of an IPv4 address. */
export function networkOf(email: string): string {
  const network = Number(email.replaceAll(/\D/g, ""));
  return `${network >> 16}.${(network >> 8) & 255}.${network & 255}`;
}

/** The maximum time until everybody is signed up, and until the outbox is empty. */
const limit: Milliseconds = 2 * minute;

/**
 * Signs up the visitors who got no answer, waits until all emails are sent, and compares the acknowledged sign-ups with
 * those in the store.
 * @param place - of a store that no service uses any more
 */
export async function settleSignUps(
  title: string,
  place: StorePlace,
  { signUp, unanswered, acknowledged }: Visitors,
): Promise<Figure[]> {
  const { db, close } = await openStore({ ...place, logger: createLogger({ level: "warn" }) });
  // The leases of killed services, and the pauses after attempts, would take minutes.
  await db.updateTable("mailOutbox").set({ leasedUntil: null, nextAttemptAt: 0 }).execute();
  const service = await startReplica(onStore(place));
  for (const end = performance.now() + limit; unanswered.length > 0 && performance.now() < end; )
    await signUp(service.port).catch(() => pause(second / 4));
  const queued = db.selectFrom("mailOutbox").select("id").where("state", "=", "queued");
  for (const end = performance.now() + limit; await queued.executeTakeFirst(); await pause(second / 4))
    if (performance.now() > end) throw new Error(`mails are queued after ${limit / second} s`);
  await service.kill();
  const stored = await db.selectFrom("newsletterSubscription").select("email").execute();
  await close();
  const mailed = await listRecipients(join(place.dataDir, "outbox"));
  const groups = [stored.map(({ email }) => email), mailed].map((emails) => Map.groupBy(emails, (email) => email));
  return [
    atLeast(`${title}: acknowledged sign-ups`, acknowledged.size, 1),
    none(
      `${title}: lost`,
      [...acknowledged].filter((email) => !groups.every((found) => found.has(email))),
    ),
    none(
      `${title}: doubled`,
      groups.flatMap((found) => [...found].flatMap(([email, { length }]) => (length > 1 ? [email] : []))),
    ),
  ];
}

/** Lists the recipients of mails that are files in a folder. */
async function listRecipients(outbox: string): Promise<string[]> {
  const files = (await readdir(outbox)).filter((name) => name.endsWith(".eml"));
  const mails = await Promise.all(files.map((name) => readFile(join(outbox, name), "utf8")));
  return mails.map((mail) => /^To: (.+)$/m.exec(mail)?.[1]?.trim() ?? "");
}
