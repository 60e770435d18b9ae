import { hour, type Milliseconds, type Moment, minute } from "../../../client/rules/time.ts";
import { networksOf, type PrefixLength } from "../../http/network.ts";
import type { ReportEvent } from "../../security-events.ts";
import type { Database } from "../store/open-store.ts";
import { createRateLimiter } from "../store/rate-limiter.ts";

/**
 * Counts a call for the networks of an address.
 * @returns how long the caller has to wait, 0 when the call may be made; callers without an address are one network
 * @throws UnavailableError when the store can't count
 */
export type NetworkLimits = (address: string | undefined, at: Moment) => Promise<Milliseconds>;

/**
 * How many calls a network may make. Many people share an IPv4 address, in a company or at a mobile provider. A /48 has
 * as much as that, as it may be one customer who calls from all of its parts; each part has less.
 */
const calls: Record<PrefixLength, { perMinute: number; perHour: number }> = {
  32: { perMinute: 60, perHour: 300 },
  64: { perMinute: 20, perHour: 100 },
  56: { perMinute: 40, perHour: 200 },
  48: { perMinute: 60, perHour: 300 },
};

/** Creates the limits of the calls that may lead to a mail. */
export function createNetworkLimits(db: Database, report?: ReportEvent): NetworkLimits {
  const limiterOf = (bits: PrefixLength) =>
    createRateLimiter(
      db,
      [
        { name: "newsletter-minute", points: calls[bits].perMinute, duration: minute },
        { name: "newsletter-hour", points: calls[bits].perHour, duration: hour },
      ],
      report,
    );
  const limiters = { 32: limiterOf(32), 64: limiterOf(64), 56: limiterOf(56), 48: limiterOf(48) };

  return async (address, at) => {
    const networks = networksOf(address);
    if (networks.length === 0) return limiters[32].consume("unknown", at);
    // The narrowest first: what it may not do isn't counted for those around it.
    for (const { name, bits } of networks) {
      const wait = await limiters[bits].consume(name, at);
      if (wait > 0) return wait;
    }
    return 0;
  };
}
