import { LRUCache } from "lru-cache";
import { hour, type Milliseconds, type Moment, minute } from "../../client/rules/time.ts";
import { UnavailableError } from "../platform/errors.ts";
import { hmac, type SecretKeys } from "../platform/secret-keys.ts";
import type { ReportEvent } from "../platform/security-events.ts";
import { batchCalls } from "./batch-calls.ts";
import { addPoints, type Counter, type Counts, readPoints } from "./counters.ts";
import { type Network, networksOf } from "./networks.ts";
import type { Database } from "./open-store.ts";

/** How often something may happen from an IPv4 address. */
interface NetworkBudget {
  name: string;
  perMinute: number;
  perHour: number;
}

/** Counts the uses of a network. In its key, a keyed hash stands for the network. */
interface NetworkCounter extends Counter {
  network: string;
  limit: string;
  /** How many uses a period has. */
  points: number;
}

/**
 * The part of a budget that a network has, in thirds, by its prefix length. Many people share an IPv4 address, in a
 * company or at a mobile provider. A /48 may be one customer who calls from all of its parts. So it has the budget of
 * an IPv4 address, and its parts have less.
 */
const budgetShare = { 32: 3, 48: 3, 56: 2, 64: 1 };

/**
 * Creates a limiter of networks that counts in the database, shared by all replicas.
 * @param report - called once per network and period when a budget is used up
 */
export function createNetworkLimiter(db: Database, keys: SecretKeys, budget: NetworkBudget, report: ReportEvent) {
  const hashKey = keys.signing("rate-limit");
  const periods = [
    { limit: `${budget.name}-hour`, points: budget.perHour, period: hour },
    { limit: `${budget.name}-minute`, points: budget.perMinute, period: minute },
  ];
  /** The period in which each network is blocked, so that a flood of calls doesn't become a flood of writes. */
  const blocked = new LRUCache<string, { since: Moment; until: Moment }>({ max: 10_000 });
  // Addresses that share any network share the widest one.
  const count = batchCalls({ keyOf: ({ counters }) => counters.at(-1)?.network ?? "", work: countUses });

  return {
    /**
     * Takes a point from each network of an address, unless one is known to be blocked.
     * @returns how long until all of them have a point again, 0 if they had one
     * @throws UnavailableError if the database can't be written
     */
    async consume(address: string | undefined, at: Moment): Promise<Milliseconds> {
      const networks = networksOf(address);
      const known = knownWait(networks, at);
      return known > 0 ? known : take(networks, at);
    },
    /**
     * Takes a point from each network of an address for something that has happened, even from blocked ones.
     * @returns how long until all of them have a point again, 0 if they had one
     * @throws UnavailableError if the database can't be written
     */
    record: (address: string | undefined, at: Moment): Promise<Milliseconds> => take(networksOf(address), at),
    /**
     * Takes no points.
     * @returns how long `consume` would have to wait
     * @throws UnavailableError if the database can't be read
     */
    async wait(address: string | undefined, at: Moment): Promise<Milliseconds> {
      const networks = networksOf(address);
      const known = knownWait(networks, at);
      if (known > 0) return known;
      const counters = networks.flatMap(countersOf);
      return block(counters, await readNextUse(counters, at), at);
    },
  };

  async function take(networks: readonly Network[], at: Moment): Promise<Milliseconds> {
    const counters = networks.flatMap(countersOf);
    return block(counters, await count({ counters, at }), at);
  }

  function countersOf({ name, bits }: Network): NetworkCounter[] {
    const hash = hmac(hashKey, name);
    return periods.map(({ limit, points, period }) => {
      return { key: `${limit} ${hash}`, network: name, limit, points: (points * budgetShare[bits]) / 3, period };
    });
  }

  /**
   * Returns how long networks have to wait as far as this process knows, without hashing or querying for each call of a
   * flood.
   */
  function knownWait(networks: readonly Network[], at: Moment): Milliseconds {
    return Math.max(0, ...networks.map(({ name }) => blockedUntil(name, at) - at));
  }

  /** Returns when a network may continue; 0 if the clock was set back since it was blocked. */
  function blockedUntil(network: string, at: Moment): Moment {
    const { since = 0, until = 0 } = blocked.get(network) ?? {};
    return since <= at ? until : 0;
  }

  /**
   * Blocks networks whose counters exceed their points. A caller that had a point isn't refused because another one has
   * met the limit in the meantime.
   * @returns how long until all of these counters have a point again, 0 if none exceeds
   */
  function block(counters: readonly NetworkCounter[], rowOf: Counts, at: Moment): Milliseconds {
    let wait = 0;
    for (const { key, network, limit, points } of counters) {
      const row = rowOf.get(key);
      if (!row || row.points <= points) continue;
      const until = blockedUntil(network, at);
      if (until <= at) report({ event: "excess_rate_limit_exceeded", limit, key: network });
      blocked.set(network, { since: at, until: Math.max(until, row.expiresAt) });
      wait = Math.max(wait, row.expiresAt - at);
    }
    return wait;
  }

  /** Counts uses of different networks. */
  async function countUses(uses: readonly { counters: readonly NetworkCounter[]; at: Moment }[]) {
    const at = Math.max(...uses.map((use) => use.at));
    const counters = uses.flatMap((use) => use.counters);
    const rowOf = await addPoints(db, counters, 1, at).catch((cause: unknown) => {
      throw new UnavailableError("the database can't be written", { cause });
    });
    return uses.map(() => rowOf);
  }

  /** Reads what counters would have after another use. */
  async function readNextUse(counters: readonly NetworkCounter[], at: Moment): Promise<Counts> {
    const counts = await readPoints(db, counters, at).catch((cause: unknown) => {
      throw new UnavailableError("the database can't be read", { cause });
    });
    return new Map(Array.from(counts, ([key, row]) => [key, { ...row, points: row.points + 1 }]));
  }
}
