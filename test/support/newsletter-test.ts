import type { NewsletterSubscription } from "../../schemas/types.ts";
import { createMetrics, type Metrics } from "../../server/metrics.ts";
import type { Caller } from "../../server/services/newsletter-service.ts";
import type { MailData, MailKind } from "../../server/shop/mail/mail-data.ts";
import { openSuppression, type Suppression } from "../../server/shop/mail/suppression.ts";
import { createNewsletter, type EmbeddedNewsletter } from "../../server/shop/newsletter/create-newsletter.ts";
import type { Database } from "../../server/shop/store/open-store.ts";
import { noEvents } from "../../server/shop/webhook/newsletter-events.ts";
import { newAddress } from "./new-address.ts";
import { countries, testLogger, texts } from "./test-app.ts";
import { openTestStore } from "./test-store.ts";

export interface Bench {
  db: Database;
  newsletter: EmbeddedNewsletter;
  metrics: Metrics;
  suppression: Suppression;
  /** Lets time pass, in milliseconds. */
  pass(time: number): void;
  now(): number;
}

/**
 * The service on a store of its own, or one that is given, at a time that only passes when told to.
 * @param watch - puts something between the service and its store
 * @param events - what the newsletter's receiver is told of
 */
export async function openNewsletter(
  given?: Database,
  answerAfter = 0,
  watch = (db: Database): Database => db,
  events = noEvents,
): Promise<Bench> {
  let now = Date.UTC(2026, 10, 20, 10);
  const db = watch(given ?? (await openTestStore(testLogger)).db);
  const mail = { wake: () => undefined };
  const metrics = createMetrics();
  const suppression = await openSuppression(db);
  const parts = { db, countries, texts, metrics, suppression, mail, events };
  const newsletter = await createNewsletter({ ...parts, answerAfter, clock: () => now });
  return { db, newsletter, metrics, suppression, pass: (time) => (now += time), now: () => now };
}

/** A caller from an address, or from a network that nobody else is in. */
export function callerOf(code: string, address = newAddress()): Caller {
  const site = countries.get(code);
  if (!site) throw new Error(`there is no site ${code}`);
  return { site, address };
}

/** All that any country asks for. */
export function signUpOf(email: string, changes: Partial<NewsletterSubscription> = {}): NewsletterSubscription {
  return {
    ...{ email, salutation: "MRS", firstName: "Ada", lastName: "Beispiel", consents: ["NEWSLETTER"] },
    ...{ origin: "NEWSLETTER", originAddition: "footer", ...changes },
  };
}

/** What was sent to an address, in order. */
export async function mailsTo(db: Database, recipient: string) {
  const rows = await db.selectFrom("mailOutbox").selectAll().where("recipient", "=", recipient).execute();
  return rows
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .map(({ id, kind, site, data, createdAt }) => ({ id, kind, site, createdAt, data: JSON.parse(data) }));
}

/** What the last mail of a kind brought. */
export async function lastMail<Kind extends MailKind>(
  db: Database,
  recipient: string,
  kind: Kind,
): Promise<MailData[Kind]> {
  const mail = (await mailsTo(db, recipient)).findLast((sent) => sent.kind === kind);
  if (!mail) throw new Error(`no ${kind} mail was sent to ${recipient}`);
  return mail.data;
}

/** Signs an address up and gives what the link of its mail holds. */
export async function signUp({ db, newsletter }: Bench, email: string, site = "DE"): Promise<string> {
  await newsletter.subscribe(signUpOf(email), callerOf(site));
  return (await lastMail(db, email, "confirm")).subscriberToken;
}

export function subscriptionOf(db: Database, email: string, site = "DE") {
  return db
    .selectFrom("newsletterSubscription")
    .selectAll()
    .where("email", "=", email)
    .where("site", "=", site)
    .executeTakeFirst();
}

const events = ["requested", "changed", "confirmed", "refused", "withdrawn", "stopped"];

/** The proof of consent, in order of time; of what is of the same time, in the order in which it can have happened. */
export async function recordsOf(db: Database, email: string, site = "DE") {
  const subscription = await subscriptionOf(db, email, site);
  const rows = await db
    .selectFrom("consentRecord")
    .selectAll()
    .where("subscriptionId", "=", subscription?.id ?? "")
    .execute();
  return rows.toSorted((a, b) => a.at - b.at || events.indexOf(a.event) - events.indexOf(b.event));
}
