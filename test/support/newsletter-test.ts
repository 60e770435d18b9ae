import type { NewsletterSubscription } from "../../schemas/types.ts";
import { createEmbeddedNewsletter } from "../../server/features/newsletter/embedded/embedded-newsletter.ts";
import { createNewsletterContext } from "../../server/features/newsletter/embedded/newsletter-context.ts";
import type { MailData, MailKind } from "../../server/features/newsletter/mail/outbox.ts";
import type { NewsletterCaller } from "../../server/features/newsletter/service.ts";
import { createMetrics } from "../../server/platform/metrics.ts";
import type { Database } from "../../server/store/open-store.ts";
import type { Tables } from "../../server/store/tables.ts";
import { newAddress } from "./new-address.ts";
import { context, countries, testLogger } from "./test-app.ts";
import { openTestStore } from "./test-store.ts";

export type Bench = Awaited<ReturnType<typeof openNewsletter>>;

interface BenchOptions {
  answerAfter?: number;
  /** Whether a webhook receives the events. */
  hasReceiver?: boolean;
  /** Where its clock starts. */
  startsAt?: number;
  /** By default the built-in ones. */
  countries?: typeof countries;
}

/** Creates the embedded service on a store of its own, or a given one, with a clock to set. */
export async function openNewsletter(store?: Database, options: BenchOptions = {}) {
  const { answerAfter = 0, hasReceiver = false, startsAt = Date.UTC(2026, 10, 20, 10) } = options;
  let now = startsAt;
  const db = store ?? (await openTestStore(testLogger)).db;
  const metrics = createMetrics();
  const clock = () => now;
  const given = { ...context, metrics, countries: options.countries ?? countries };
  const opened = { ...createNewsletterContext(given, db), clock, answerAfter, hasReceiver };
  const newsletter = createEmbeddedNewsletter(opened, { wake: () => undefined });
  const { suppression } = opened;
  /** Advances the clock by milliseconds. */
  const pass = (time: number) => {
    now += time;
  };
  return { context: opened, db, newsletter, metrics, suppression, pass, now: clock };
}

/** Creates a caller from an address, by default from a network of its own. */
export function callerOf(code: string, address = newAddress()): NewsletterCaller {
  const site = countries.get(code);
  if (!site) throw new Error(`there is no site ${code}`);
  return { site, address };
}

/** Creates a sign-up with every field that any country requires. */
export function signUpOf(email: string, changes: Partial<NewsletterSubscription> = {}): NewsletterSubscription {
  return {
    email,
    salutation: "MRS",
    firstName: "Ada",
    lastName: "Beispiel",
    consents: ["NEWSLETTER"],
    origin: "NEWSLETTER",
    originAddition: "footer",
    ...changes,
  };
}

/** Reads the mails to an address, in order. */
export async function mailsTo(db: Database, recipient: string) {
  const rows = await db.selectFrom("mailOutbox").selectAll().where("recipient", "=", recipient).execute();
  return rows
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .map(({ id, kind, site, data, createdAt }) => ({ id, kind, site, createdAt, data: JSON.parse(data) }));
}

/** Reads the data of the last mail of a kind. */
export async function lastMail<Kind extends MailKind>(
  db: Database,
  recipient: string,
  kind: Kind,
): Promise<MailData[Kind]> {
  const mail = (await mailsTo(db, recipient)).findLast((sent) => sent.kind === kind);
  if (!mail) throw new Error(`no ${kind} mail was sent to ${recipient}`);
  return mail.data;
}

/** Signs an address up, and returns the token of its mail. */
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

/** Reads the proof of consent by time; records of the same time in the order of their events. */
export async function recordsOf(db: Database, email: string, site = "DE") {
  const subscription = await subscriptionOf(db, email, site);
  const rows = await db
    .selectFrom("consentRecord")
    .selectAll()
    .where("subscriptionId", "=", subscription?.id ?? "")
    .execute();
  return rows.toSorted((a, b) => a.at - b.at || events.indexOf(a.event) - events.indexOf(b.event));
}

/** Finds the tables that contain a text, regardless of case. */
export async function tablesWith(db: Database, text: string): Promise<string[]> {
  const tables = (await db.introspection.getTables()).map(({ name }) => name as keyof Tables);
  const contents = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  return tables.filter((_table, i) => JSON.stringify(contents[i]).toLowerCase().includes(text.toLowerCase()));
}
