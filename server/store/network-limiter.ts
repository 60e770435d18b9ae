import { hour, type Milliseconds, type Moment, minute } from "../../client/rules/time.ts";
import { networksOf, type PrefixLength } from "../http/client-address.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import type { ReportEvent } from "../platform/security-events.ts";
import type { Database } from "./open-store.ts";
import { createRateLimiter } from "./rate-limiter.ts";

/** How often something may happen from an IPv4 address. */
interface NetworkBudget {
  name: string;
  perMinute: number;
  perHour: number;
}

/**
 * Creates a limiter of networks. Many people share an IPv4 address, in a company or at a mobile provider. A /48 may be one
 * customer who calls from all of its parts, so it has the budget of an IPv4 address, and its parts have less.
 */
export function createNetworkLimiter(db: Database, keys: SecretKeys, budget: NetworkBudget, report: ReportEvent) {
  const { name, perMinute, perHour } = budget;
  const limiterOf = (thirds: number) => {
    const budgets = [
      { name: `${name}-minute`, points: (perMinute * thirds) / 3, duration: minute },
      { name: `${name}-hour`, points: (perHour * thirds) / 3, duration: hour },
    ];
    return createRateLimiter(db, keys, budgets, report);
  };
  const limiters = { 32: limiterOf(3), 64: limiterOf(1), 56: limiterOf(2), 48: limiterOf(3) };
  return {
    /** Takes a point off each network of an address. The narrowest comes first: what it refuses isn't counted for the wider. */
    consume: (address: string | undefined, at: Moment) => firstWait("consume", networksOf(address), at),
    /** Takes nothing. A network that is known to wait costs no look at the database, whatever its parts. */
    async wait(address: string | undefined, at: Moment): Promise<Milliseconds> {
      const networks = networksOf(address);
      const known = Math.max(...networks.map(({ name, bits }) => limiters[bits].knownWait(name, at)));
      return known || firstWait("wait", networks, at);
    },
  };

  /**
   * @returns how long the first network without a point left has to wait, else 0
   * @throws UnavailableError when the database can't be used
   */
  async function firstWait(
    act: "consume" | "wait",
    networks: { name: string; bits: PrefixLength }[],
    at: Moment,
  ): Promise<Milliseconds> {
    for (const network of networks) {
      const wait = await limiters[network.bits][act](network.name, at);
      if (wait > 0) return wait;
    }
    return 0;
  }
}
