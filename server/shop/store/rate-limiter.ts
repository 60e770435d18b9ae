import { LRUCache } from "lru-cache";
import type { Milliseconds, Moment } from "../../../client/rules/time.ts";
import { UnavailableError } from "../../errors.ts";
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

/** Creates a limiter that counts in the store, so that all replicas together keep to the budgets. */
export function createRateLimiter(db: Database, budgets: readonly Budget[]): RateLimiter {
  /** Until when each key has to wait, so that a flood of calls doesn't become one of writes. */
  const blocked = new LRUCache<string, Moment>({ max: 10_000 });

  return {
    async consume(key, at) {
      const known = blocked.get(key) ?? 0;
      if (known > at) return known - at;
      const end = await takePoints(key, at);
      if (end > at) blocked.set(key, end);
      return end - at;
    },
    async wait(key, at) {
      const known = blocked.get(key) ?? 0;
      if (known > at) return known - at;
      const ends = await Promise.all(budgets.map((budget) => findEnd(budget, key, at)));
      return Math.max(...ends) - at;
    },
  };

  /** Tells when every used up budget starts anew; `at` when none is used up. */
  async function takePoints(key: string, at: Moment): Promise<Moment> {
    const rows = await count(key, at);
    const ends = budgets.flatMap(({ name, points }) =>
      rows.filter((row) => row.key === `${name} ${key}` && row.points > points).map(({ expiresAt }) => expiresAt),
    );
    return Math.max(at, ...ends);
  }

  function count(key: string, at: Moment) {
    return db
      .insertInto("rateLimit")
      .values(budgets.map(({ name, duration }) => ({ key: `${name} ${key}`, points: 1, expiresAt: at + duration })))
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

  /** Tells when the budget starts anew when there is no point left, else `at`. */
  async function findEnd({ name, points }: Budget, key: string, at: Moment): Promise<Moment> {
    try {
      const used = await db
        .selectFrom("rateLimit")
        .select("expiresAt")
        .where("key", "=", `${name} ${key}`)
        .where("points", ">=", points)
        .where("expiresAt", ">", at)
        .executeTakeFirst();
      return used?.expiresAt ?? at;
    } catch (cause) {
      throw new UnavailableError("the store can't be read", { cause });
    }
  }
}
