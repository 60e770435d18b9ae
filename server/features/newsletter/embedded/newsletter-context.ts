import type { Milliseconds, Moment } from "../../../../client/rules/time.ts";
import type { CountryRegistry } from "../../../sites/countries.ts";
import type { Database } from "../../../store/open-store.ts";
import type { Suppression } from "../mail/suppression.ts";
import type { NewsletterEvents } from "../webhook/event-outbox.ts";
import type { AddConsentRecords } from "./consent-records.ts";
import type { RateLimits } from "./rate-limits.ts";

/** What the operations of the embedded newsletter service share. */
export interface NewsletterContext {
  db: Database;
  countries: CountryRegistry;
  clock(): Moment;
  /** Minimum duration of an accepted sign-up: it hides how long the statements for an address took. */
  answerAfter: Milliseconds;
  limits: RateLimits;
  suppression: Suppression;
  addConsentRecords: AddConsentRecords;
  /** Queues the webhook's events; undefined without a webhook. */
  events: NewsletterEvents | undefined;
}
