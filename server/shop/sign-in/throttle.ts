import { createHmac } from "node:crypto";
import { type Milliseconds, type Moment, minute, second } from "../../../client/rules/time.ts";
import { countInTransaction } from "../store/in-transaction.ts";
import { loadServiceKey } from "../store/load-service-key.ts";
import { changeWhatMayBeLost } from "../store/may-be-lost.ts";
import type { Database } from "../store/open-store.ts";

/** The longest wait. Tries count for as long after it. */
const longest = 15 * minute;

/** How a try begins. */
interface Begun {
  /** How long it is until a try is allowed, 0 when this one is. */
  wait: Milliseconds;
  /** How long the next one has to wait unless this one succeeds. */
  nextWait: Milliseconds;
}

/** Limits how often a password is tried, by the address or by a known browser. It counts in the store, so that all replicas count together. */
export interface Throttle {
  /**
   * Counts a try before its outcome is known, so that many at once get no further than one after the other.
   * @throws UnavailableError when the store can't be written
   */
  begin(counter: string, at: Moment): Promise<Begun>;
  /** Forgets all tries, as the password was right. */
  forget(counter: string): Promise<void>;
}

/** Opens the limit for one kind of accounts, as tries of customers and of staff are counted apart. */
export async function openThrottle(db: Database, kind: "login" | "staff"): Promise<Throttle> {
  return createThrottle(db, await loadServiceKey(db, `${kind}-throttle`));
}

/**
 * Creates the limit. It holds for addresses without an account, too, so that nobody learns from it which ones have one.
 * What it keeps of an address is removed after half an hour.
 * @param secret - the key of the hashes under which addresses are kept
 */
export function createThrottle(db: Database, secret: Buffer): Throttle {
  return {
    begin: (counter, at) =>
      countInTransaction(db, async (transaction) => {
        // Writing the row locks it, in SQLite and in PostgreSQL.
        const { key, blockedUntil, expiresAt, tries } = await transaction
          .insertInto("loginThrottle")
          .values({ key: keyOf(counter), tries: 0, blockedUntil: at, expiresAt: at })
          .onConflict((conflict) =>
            conflict.column("key").doUpdateSet(({ ref }) => ({ key: ref("loginThrottle.key") })),
          )
          .returningAll()
          .executeTakeFirstOrThrow();
        if (blockedUntil > at) return { wait: blockedUntil - at, nextWait: blockedUntil - at };
        const counted = expiresAt > at ? tries + 1 : 1;
        const nextWait = waitAfter(counted);
        const until = at + nextWait;
        await transaction
          .updateTable("loginThrottle")
          .set({ tries: counted, blockedUntil: until, expiresAt: until + longest })
          .where("key", "=", key)
          .execute();
        return { wait: 0, nextWait };
      }),
    async forget(counter) {
      const forgotten = db.deleteFrom("loginThrottle").where("key", "=", keyOf(counter));
      await changeWhatMayBeLost(() => forgotten.execute());
    },
  };

  function keyOf(counter: string): string {
    return createHmac("sha256", secret).update(counter).digest("base64url");
  }
}

/**
 * Gives the wait after a number of tries. The first ones are free, for those who mistype. Then each wait is four times
 * the one before, so that no more than ten tries are made in a quarter of an hour.
 */
function waitAfter(tries: number): Milliseconds {
  return tries < 5 ? 0 : Math.min(2 * second * 4 ** (tries - 5), longest);
}
