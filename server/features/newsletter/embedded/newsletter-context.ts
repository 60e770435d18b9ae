import { type Milliseconds, type Moment, second } from "../../../../client/rules/time.ts";
import type { RateLimited } from "../../../platform/errors.ts";
import { createNetworkLimiter } from "../../../store/network-limiter.ts";
import type { Database } from "../../../store/open-store.ts";
import type { AppContext } from "../../feature.ts";
import type { RateLimitHit } from "../mail/mail-budgets.ts";
import { createSuppression } from "../mail/suppression.ts";
import { createConsentRecords } from "./consent-records.ts";
import { createPreferencesTokens, createSenderTokens } from "./sender-tokens.ts";

/** The context of the embedded newsletter service's operations. */
export type NewsletterContext = ReturnType<typeof createNewsletterContext>;

export function createNewsletterContext(context: AppContext, db: Database) {
  const { env, keys } = context;
  const answerAfter: Milliseconds = 40;
  return {
    ...context,
    db,
    /** Whether a webhook receives the events. */
    hasReceiver: env.newsletterWebhook !== undefined,
    clock: (): Moment => Date.now(),
    /** The minimum duration of an accepted sign-up, which hides how long the statements for an address took. */
    answerAfter,
    limits: createLimits(context, db),
    suppression: createSuppression(keys),
    senderTokenOf: createSenderTokens(keys),
    preferencesTokenOf: createPreferencesTokens(keys),
    addConsentRecords: createConsentRecords(context),
  };
}

/** Creates the limits of calls that may lead to an email. */
function createLimits({ keys, metrics, reportSecurityEvent }: AppContext, db: Database) {
  const budget = { name: "newsletter", perMinute: 60, perHour: 300 };
  const networks = createNetworkLimiter(db, keys, budget, reportSecurityEvent);
  return { checkNetwork, apply };

  /**
   * Counts a call.
   * @returns a refusal if the caller's network has made too many calls
   * @throws UnavailableError if the database can't be written
   */
  async function checkNetwork(address: string | undefined, at: Moment): Promise<RateLimited | undefined> {
    const wait = await networks.consume(address, at);
    return wait > 0 ? apply({ limit: "network", outcome: "refused" }, wait) : undefined;
  }

  /**
   * Counts a hit of a limit.
   * @returns a refusal if the limit refuses the call
   */
  function apply(hit: RateLimitHit | undefined, wait: Milliseconds): RateLimited | undefined {
    if (!hit) return undefined;
    metrics.mailLimits.inc({ ...hit });
    return hit.outcome === "refused" ? { status: "rateLimited", retryAfter: Math.ceil(wait / second) } : undefined;
  }
}
