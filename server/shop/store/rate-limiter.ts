import { LRUCache } from "lru-cache";
import { UnavailableError } from "../../errors.ts";
import type { Database } from "./open-store.ts";

/** How often something may happen within a time that begins with its first use. */
export interface Budget {
  name: string;
  points: number;
  /** In milliseconds. */
  duration: number;
}

export interface RateLimiter {
  /**
   * Takes one point off every budget of a key.
   * @param at - now, in milliseconds since 1970 UTC
   * @returns milliseconds until there is a point again, 0 when there was one in all of them
   * @throws UnavailableError when the store can't be written
   */
  consume(key: string, at: number): Promise<number>;
}

/** Counts in the store, so that all replicas together keep to the budgets. */
export function createRateLimiter(db: Database, budgets: readonly Budget[]): RateLimiter {
  /** Whose budget is used up, until when: a flood isn't to become one of writes. */
  const blocked = new LRUCache<string, number>({ max: 10_000 });

  return {
    async consume(key, at) {
      const known = blocked.get(key) ?? 0;
      if (known > at) return known - at;
      const ends = await Promise.all(budgets.map((budget) => useUp(budget, key, at)));
      const end = Math.max(...ends);
      if (end > at) blocked.set(key, end);
      return end - at;
    },
  };

  /** @returns when the budget starts anew if it is used up, else `at` */
  async function useUp({ name, points, duration }: Budget, key: string, at: number): Promise<number> {
    try {
      const used = await db
        .insertInto("rateLimit")
        .values({ key: `${name} ${key}`, points: 1, expiresAt: at + duration })
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
              expiresAt: eb
                .case()
                .when(isOver)
                .then(at + duration)
                .else(ref("rateLimit.expiresAt"))
                .end(),
            };
          }),
        )
        .returning(["points", "expiresAt"])
        .executeTakeFirstOrThrow();
      return used.points > points ? used.expiresAt : at;
    } catch (cause) {
      throw new UnavailableError("the store can't count", { cause });
    }
  }
}
