import { type Milliseconds, type Moment, second } from "../../../../client/rules/time.ts";
import type { RateLimited } from "../../../platform/errors.ts";
import { hmac } from "../../../platform/secret-keys.ts";
import type { Site } from "../../../sites/countries.ts";
import { createNetworkLimiter } from "../../../store/network-limiter.ts";
import type { Database } from "../../../store/open-store.ts";
import type { AppContext } from "../../feature.ts";
import type { RateLimitHit } from "../mail/mail-budgets.ts";
import { createSuppression } from "../mail/suppression.ts";
import type { NewsletterEvents } from "../webhook/event-outbox.ts";
import { createConsentRecords } from "./consent-records.ts";

/** What the operations of the embedded newsletter service share. */
export type NewsletterContext = ReturnType<typeof createNewsletterContext>;

/** @param events - queues the webhook's events; undefined without a webhook */
export function createNewsletterContext(context: AppContext, db: Database, events?: NewsletterEvents) {
  const answerAfter: Milliseconds = 40;
  const reportKey = context.keys.signing("newsletter-report");
  return {
    db,
    events,
    countries: context.countries,
    /** Whether a real service has taken over the subscribers of a site. */
    isMoved: (site: Site) => context.upstreams.newsletter.of(site) !== undefined,
    clock: (): Moment => Date.now(),
    /** Minimum duration of an accepted sign-up: it hides how long the statements for an address took. */
    answerAfter,
    limits: createLimits(context, db),
    suppression: createSuppression(context.keys),
    addConsentRecords: createConsentRecords(context),
    /** An id may contain an address: senders choose it. */
    hashReportId: (id: string) => hmac(reportKey, id),
  };
}

/** Creates the limits of calls that may lead to a mail. */
function createLimits({ keys, metrics, reportSecurityEvent }: AppContext, db: Database) {
  const budget = { name: "newsletter", perMinute: 60, perHour: 300 };
  const networks = createNetworkLimiter(db, keys, budget, reportSecurityEvent);
  return { checkNetwork, apply };

  /**
   * Counts a call.
   * @returns a refusal when the caller's network has made too many
   * @throws UnavailableError when the database can't be written
   */
  async function checkNetwork(address: string | undefined, at: Moment): Promise<RateLimited | undefined> {
    const wait = await networks.consume(address, at);
    return wait > 0 ? apply({ limit: "network", outcome: "refused" }, wait) : undefined;
  }

  /** Counts a hit. Returns a refusal if the limit refuses the call. */
  function apply(hit: RateLimitHit | undefined, wait: Milliseconds): RateLimited | undefined {
    if (!hit) return undefined;
    metrics.mailLimits.inc({ ...hit });
    return hit.outcome === "refused" ? { status: "rateLimited", retryAfter: Math.ceil(wait / second) } : undefined;
  }
}
