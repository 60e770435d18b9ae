import { type Milliseconds, type Moment, minute, second } from "../../client/rules/time.ts";
import { hmac, type SecretKeys } from "../platform/secret-keys.ts";
import type { AccountKind } from "../platform/security-events.ts";
import { inTransaction } from "../store/in-transaction.ts";
import type { Database } from "../store/open-store.ts";

/** The longest wait. Attempts are forgotten this long after a wait has ended. */
const longestWait = 15 * minute;

/**
 * Limits the login attempts per address or trusted device, for all replicas together. Addresses without an account are
 * limited alike, so that the limit doesn't reveal which ones have one.
 */
interface LoginThrottle {
  /**
   * Counts an attempt before its outcome is known, so that parallel attempts gain nothing over serial ones.
   * @returns `wait`: how long until an attempt is allowed, 0 when this one is; `nextWait`: the wait before the next
   * attempt unless this one succeeds
   * @throws UnavailableError when the store can't be written
   */
  countAttempt(counter: string, at: Moment): Promise<{ wait: Milliseconds; nextWait: Milliseconds }>;
  /** Forgets all attempts after a successful one. */
  reset(counter: string): Promise<void>;
}

/** Creates the throttle of one kind of accounts. In the store, keyed hashes stand for addresses and devices. */
export function createLoginThrottle(db: Database, keys: SecretKeys, kind: AccountKind): LoginThrottle {
  const purpose = `${kind}-login-throttle`;
  const [signingKey, verifyingKeys] = [keys.signing(purpose), keys.verifying(purpose)];
  const rowKey = (key: Buffer, counter: string) => `${purpose} ${hmac(key, counter)}`;
  return {
    countAttempt: (counter, at) =>
      inTransaction(db, async (transaction) => {
        const key = rowKey(signingKey, counter);
        // Writing the row locks it, in SQLite and in PostgreSQL.
        const { points, expiresAt } = await transaction
          .insertInto("rateLimit")
          .values({ key, points: 0, expiresAt: at })
          .onConflict((conflict) => conflict.column("key").doUpdateSet(({ ref }) => ({ key: ref("rateLimit.key") })))
          .returningAll()
          .executeTakeFirstOrThrow();
        const wait = expiresAt - longestWait - at;
        if (wait > 0) return { wait, nextWait: wait };
        const attempts = expiresAt > at ? points + 1 : 1;
        const nextWait = waitAfter(attempts);
        await transaction
          .updateTable("rateLimit")
          .set({ points: attempts, expiresAt: at + nextWait + longestWait })
          .where("key", "=", key)
          .execute();
        return { wait: 0, nextWait };
      }),
    async reset(counter) {
      const rows = verifyingKeys.map((key) => rowKey(key, counter));
      await db.deleteFrom("rateLimit").where("key", "in", rows).execute();
    },
  };
}

/**
 * Returns the wait after a number of attempts. The first are free, for typing errors. Then each wait is four times the
 * one before, which allows ten attempts in a quarter of an hour.
 */
function waitAfter(attempts: number): Milliseconds {
  return attempts < 5 ? 0 : Math.min(2 * second * 4 ** (attempts - 5), longestWait);
}
