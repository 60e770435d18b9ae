import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Milliseconds, Moment } from "../../../client/rules/time.ts";
import { UnavailableError } from "../../errors.ts";
import type { ReportEvent } from "../../security-events.ts";
import { inGroups } from "./in-groups.ts";
import { loadServiceKey } from "./load-service-key.ts";
import { changeWhatMayBeLost } from "./may-be-lost.ts";
import type { Database } from "./open-store.ts";

/** How often something may happen within a time that begins with its first use. */
export interface Budget {
  name: string;
  points: number;
  duration: Milliseconds;
}

export interface RateLimiter {
  /**
   * Takes one point off every budget of a key.
   * @returns how long it is until there is a point again, 0 when there was one in all of them
   * @throws UnavailableError when the store can't be written
   */
  consume(key: string, at: Moment): Promise<Milliseconds>;
  /**
   * Takes nothing off, and returns how long `consume` would have to wait.
   * @throws UnavailableError when the store can't be read
   */
  wait(key: string, at: Moment): Promise<Milliseconds>;
}

/** One use of a key. */
interface Use {
  hash: string;
  at: Moment;
}

/** A used up budget, and when it starts anew. */
type Met = Pick<Budget, "name"> & { end: Moment };

/**
 * Creates a limiter that counts in the store, so that all replicas together keep to the budgets. Counts outlive a
 * process, and may be lost in a power cut. The store has a hash in place of a key, which may be somebody's network.
 * @param report - is told once per key and period that a budget is used up
 */
export function createRateLimiter(db: Database, budgets: readonly Budget[], report?: ReportEvent): RateLimiter {
  /** Until when each key has to wait, so that a flood of calls doesn't become one of writes. */
  const blocked = new LRUCache<string, Moment>({ max: 10_000 });
  const take = inGroups<Use, Met[]>({ keyOf: ({ hash }) => hash, work: takeAllPoints });
  let secret: Buffer | undefined;

  return {
    async consume(key, at) {
      return knownWait(key, at) || stop(key, at, await takePoints(key, at));
    },
    async wait(key, at) {
      return knownWait(key, at) || stop(key, at, await findMet(key, at));
    },
  };

  function knownWait(key: string, at: Moment): Milliseconds {
    return Math.max(0, (blocked.get(key) ?? 0) - at);
  }

  /** Keeps until when a key has to wait for the last of its used up budgets, and returns how long that is. */
  function stop(key: string, at: Moment, met: readonly Met[]): Milliseconds {
    const [last] = met.toSorted((one, other) => other.end - one.end);
    if (!last) return 0;
    if (knownWait(key, at) === 0) report?.({ event: "excess_rate_limit_exceeded", limit: last.name, key });
    blocked.set(key, last.end);
    return last.end - at;
  }

  async function hashOf(key: string): Promise<string> {
    secret ??= await loadServiceKey(db, "rate-limit").catch((cause: unknown) => {
      throw new UnavailableError("the store can't be read", { cause });
    });
    return createHmac("sha256", secret).update(key).digest("base64url");
  }

  async function takePoints(key: string, at: Moment): Promise<Met[]> {
    return take({ hash: await hashOf(key), at });
  }

  async function takeAllPoints(uses: readonly Use[]): Promise<Met[][]> {
    const rows = new Map((await changeWhatMayBeLost(() => count(uses))).map((row) => [row.key, row]));
    return uses.map(({ hash }) =>
      budgets.flatMap(({ name, points }) => {
        const row = rows.get(`${name} ${hash}`);
        return row && row.points > points ? [{ name, end: row.expiresAt }] : [];
      }),
    );
  }

  /** Counts uses of different keys. All replicas lock these in the same order. */
  function count(uses: readonly Use[]) {
    const at = Math.max(...uses.map((use) => use.at));
    const hashes = uses.map(({ hash }) => hash).sort();
    return db
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
        throw new UnavailableError("the store can't count", { cause });
      });
  }

  /** Finds the budgets in which there is no point left. */
  async function findMet(key: string, at: Moment): Promise<Met[]> {
    const hash = await hashOf(key);
    const met = await Promise.all(budgets.map((budget) => findEnd(budget, hash, at)));
    return met.flat();
  }

  async function findEnd({ name, points }: Budget, hash: string, at: Moment): Promise<Met[]> {
    try {
      const used = await db
        .selectFrom("rateLimit")
        .select("expiresAt")
        .where("key", "=", `${name} ${hash}`)
        .where("points", ">=", points)
        .where("expiresAt", ">", at)
        .execute();
      return used.map(({ expiresAt: end }) => ({ name, end }));
    } catch (cause) {
      throw new UnavailableError("the store can't be read", { cause });
    }
  }
}
