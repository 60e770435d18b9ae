import { hour, type Milliseconds, type Moment, minute, second } from "../../../../client/rules/time.ts";
import { networksOf, type PrefixLength } from "../../../http/client-address.ts";
import type { RateLimited } from "../../../platform/errors.ts";
import type { Database } from "../../../store/open-store.ts";
import { createRateLimiter } from "../../../store/rate-limiter.ts";
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
  return {
    db,
    events,
    countries: context.countries,
    clock: (): Moment => Date.now(),
    /** Minimum duration of an accepted sign-up: it hides how long the statements for an address took. */
    answerAfter,
    limits: createLimits(context, db),
    suppression: createSuppression(context.keys),
    addConsentRecords: createConsentRecords(context),
  };
}

/**
 * The number of calls that a network may make. Many people share an IPv4 address, in a company or at a mobile provider. A
 * /48 may be one customer who calls from all of its parts, so it gets as many as an IPv4 address, and each part fewer.
 */
const callLimits: Record<PrefixLength, { perMinute: number; perHour: number }> = {
  32: { perMinute: 60, perHour: 300 },
  64: { perMinute: 20, perHour: 100 },
  56: { perMinute: 40, perHour: 200 },
  48: { perMinute: 60, perHour: 300 },
};

/** Creates the limits of calls that may lead to a mail. */
function createLimits({ keys, metrics, reportSecurityEvent }: AppContext, db: Database) {
  const limiterOf = (bits: PrefixLength) => {
    const { perMinute, perHour } = callLimits[bits];
    const budgets = [
      { name: "newsletter-minute", points: perMinute, duration: minute },
      { name: "newsletter-hour", points: perHour, duration: hour },
    ];
    return createRateLimiter(db, keys, budgets, reportSecurityEvent);
  };
  const limiters = { 32: limiterOf(32), 64: limiterOf(64), 56: limiterOf(56), 48: limiterOf(48) };
  return { checkNetwork, apply };

  /**
   * Counts a call of a network; all callers without an address are one network.
   * @returns a refusal when the network has made too many calls
   * @throws UnavailableError when the database can't be written
   */
  async function checkNetwork(address: string | undefined, at: Moment): Promise<RateLimited | undefined> {
    const networks = networksOf(address);
    // The narrowest network comes first: calls that it isn't allowed don't count for the wider ones.
    for (const { name, bits } of networks.length > 0 ? networks : [{ name: "unknown", bits: 32 } as const]) {
      const wait = await limiters[bits].consume(name, at);
      if (wait > 0) return apply({ limit: "network", outcome: "refused" }, wait);
    }
    return undefined;
  }

  /** Counts a hit. Returns a refusal if the limit refuses the call. */
  function apply(hit: RateLimitHit | undefined, wait: Milliseconds): RateLimited | undefined {
    if (!hit) return undefined;
    metrics.mailLimits.inc({ ...hit });
    return hit.outcome === "refused" ? { status: "rateLimited", retryAfter: Math.ceil(wait / second) } : undefined;
  }
}
