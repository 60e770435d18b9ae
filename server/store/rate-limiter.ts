import { LRUCache } from "lru-cache";
import type { Milliseconds, Moment } from "../../client/rules/time.ts";
import { UnavailableError } from "../platform/errors.ts";
import { hmac, type SecretKeys } from "../platform/secret-keys.ts";
import type { ReportEvent } from "../platform/security-events.ts";
import { batchCalls } from "./batch-calls.ts";
import type { Database } from "./open-store.ts";
import type { Tables } from "./tables.ts";

/** How often something may happen in a period that starts with its first use. */
interface Budget {
  name: string;
  points: number;
  duration: Milliseconds;
}

interface Use {
  hash: string;
  at: Moment;
}

/** A budget that is used up, and the end of its period. */
type Exceeded = Pick<Budget, "name"> & { end: Moment };

/**
 * Creates a limiter that counts in the database, for all replicas together. Keyed hashes stand for the keys, which may
 * be networks.
 * @param report - called once per key and period when a budget is used up
 */
export function createRateLimiter(db: Database, keys: SecretKeys, budgets: readonly Budget[], report?: ReportEvent) {
  const hashKey = keys.signing("rate-limit");
  /** When each blocked key may continue, so that a flood of calls doesn't become a flood of writes. */
  const blocked = new LRUCache<string, Moment>({ max: 10_000 });
  const count = batchCalls<Use, Exceeded[]>({ keyOf: ({ hash }) => hash, work: countUses });

  return {
    knownWait,
    /**
     * Takes one point off every budget of a key.
     * @returns how long until there is a point again, 0 when every budget had one
     * @throws UnavailableError when the database can't be written
     */
    async consume(key: string, at: Moment): Promise<Milliseconds> {
      return knownWait(key, at) || block(key, at, await count({ hash: hmac(hashKey, key), at }));
    },
    /**
     * Takes nothing, and returns how long `consume` would have to wait.
     * @throws UnavailableError when the database can't be read
     */
    async wait(key: string, at: Moment): Promise<Milliseconds> {
      return knownWait(key, at) || block(key, at, await readExceeded(hmac(hashKey, key), at));
    },
  };

  /** Returns how long a key has to wait as far as this process knows, without a look at the database. */
  function knownWait(key: string, at: Moment): Milliseconds {
    return Math.max(0, (blocked.get(key) ?? 0) - at);
  }

  /** Blocks a key until the end of the last exceeded budget, and returns how long that is. */
  function block(key: string, at: Moment, exceeded: readonly Exceeded[]): Milliseconds {
    const [last] = exceeded.toSorted((one, other) => other.end - one.end);
    if (!last) return 0;
    if (knownWait(key, at) === 0) report?.({ event: "excess_rate_limit_exceeded", limit: last.name, key });
    blocked.set(key, last.end);
    return last.end - at;
  }

  /** Counts uses of different keys. The rows are sorted, so that replicas lock them in the same order. */
  async function countUses(uses: readonly Use[]): Promise<Exceeded[][]> {
    const at = Math.max(...uses.map((use) => use.at));
    const hashes = uses.map(({ hash }) => hash).sort();
    const rows = await db
      .insertInto("rateLimit")
      .values(
        hashes.flatMap((hash) =>
          budgets.map(({ name, duration }) => ({ key: `${name} ${hash}`, points: 1, expiresAt: at + duration })),
        ),
      )
      .onConflict((conflict) =>
        conflict.column("key").doUpdateSet(({ eb, ref }) => {
          const isOver = eb("rateLimit.expiresAt", "<=", at);
          return {
            points: eb
              .case()
              .when(isOver)
              .then(1)
              .else(eb("rateLimit.points", "+", 1))
              .end(),
            expiresAt: eb.case().when(isOver).then(ref("excluded.expiresAt")).else(ref("rateLimit.expiresAt")).end(),
          };
        }),
      )
      .returningAll()
      .execute()
      .catch((cause: unknown) => {
        throw new UnavailableError("the database can't be written", { cause });
      });
    const rowOf = new Map(rows.map((row) => [row.key, row]));
    return uses.map(({ hash }) => exceededBudgets(hash, rowOf, 0));
  }

  async function readExceeded(hash: string, at: Moment): Promise<Exceeded[]> {
    const names = budgets.map(({ name }) => `${name} ${hash}`);
    const found = db.selectFrom("rateLimit").selectAll().where("key", "in", names).where("expiresAt", ">", at);
    const rows = await found.execute().catch((cause: unknown) => {
      throw new UnavailableError("the database can't be read", { cause });
    });
    return exceededBudgets(hash, new Map(rows.map((row) => [row.key, row])), 1);
  }

  /** Finds the budgets of a key that don't have as many points left. */
  function exceededBudgets(hash: string, rowOf: ReadonlyMap<string, Tables["rateLimit"]>, wanted: number): Exceeded[] {
    return budgets.flatMap(({ name, points }) => {
      const row = rowOf.get(`${name} ${hash}`);
      return row && row.points + wanted > points ? [{ name, end: row.expiresAt }] : [];
    });
  }
}
