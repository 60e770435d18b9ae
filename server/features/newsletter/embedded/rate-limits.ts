import { hour, type Milliseconds, type Moment, minute, second } from "../../../../client/rules/time.ts";
import { type Network, networksOf, type PrefixLength } from "../../../http/client-address.ts";
import type { RateLimited } from "../../../platform/errors.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import type { ReportEvent } from "../../../platform/security-events.ts";
import type { Database } from "../../../store/open-store.ts";
import { createRateLimiter } from "../../../store/rate-limiter.ts";
import type { RateLimitHit } from "../mail/mail-budgets.ts";

/** The limits of calls that may lead to a mail. */
export type RateLimits = ReturnType<typeof createRateLimits>;

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

const unknownNetwork: Network = { name: "unknown", bits: 32 };

export function createRateLimits(db: Database, keys: SecretKeys, metrics: Metrics, report?: ReportEvent) {
  const limiterOf = (bits: PrefixLength) => {
    const { perMinute, perHour } = callLimits[bits];
    const budgets = [
      { name: "newsletter-minute", points: perMinute, duration: minute },
      { name: "newsletter-hour", points: perHour, duration: hour },
    ];
    return createRateLimiter(db, keys, budgets, report);
  };
  const limiters = { 32: limiterOf(32), 64: limiterOf(64), 56: limiterOf(56), 48: limiterOf(48) };

  return { check, refuse, countHit };

  /**
   * Counts a call of a network; all callers without an address are one network.
   * @returns a refusal when the network has made too many calls
   * @throws UnavailableError when the database can't be written
   */
  async function check(address: string | undefined, at: Moment): Promise<RateLimited | undefined> {
    const networks = networksOf(address);
    // The narrowest network comes first: calls that it isn't allowed don't count for the wider ones.
    for (const { name, bits } of networks.length > 0 ? networks : [unknownNetwork]) {
      const wait = await limiters[bits].consume(name, at);
      if (wait > 0) return refuse({ limit: "network", outcome: "refused" }, wait);
    }
    return undefined;
  }

  /** Counts a hit, and refuses the call for some time. */
  function refuse(hit: RateLimitHit, wait: Milliseconds): RateLimited {
    countHit(hit);
    return { status: "rateLimited", retryAfter: Math.ceil(wait / second) };
  }

  function countHit(hit: RateLimitHit | undefined) {
    if (hit) metrics.mailLimits.inc({ ...hit });
  }
}
