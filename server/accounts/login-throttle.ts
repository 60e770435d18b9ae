import { randomBytes, timingSafeEqual } from "node:crypto";
import { day, type Milliseconds, type Moment, minute, second } from "../../client/rules/time.ts";
import { type Caller, readCookie, writeCookie } from "../http/cookies.ts";
import { hmac, type SecretKeys } from "../platform/secret-keys.ts";
import type { AccountKind } from "../platform/security-events.ts";
import { addPoints } from "../store/counters.ts";
import { type Database, inTransaction } from "../store/open-store.ts";

/** The longest wait. Attempts are forgotten when this time has passed after a wait. */
const longestWait = 15 * minute;
/** How long attempts are remembered at most. */
const longestMemory: Milliseconds = 2 * longestWait;

/** The device cookies outlive the session. They are never forwarded to a real service. */
const deviceCookies = { customer: "KnownDevice", staff: "KnownStaffDevice" };
/** Browsers keep no cookie longer: https://developer.chrome.com/blog/cookie-max-age-expires */
const deviceLifetime = 400 * day;

interface CountedAttempt {
  wait: Milliseconds;
  nextWait: Milliseconds;
  isFirst: boolean;
}

/**
 * Limits the login attempts per address, for all replicas together. Addresses without an account are limited alike, so
 * that the limit doesn't reveal which ones have one. In the store, keyed hashes stand for addresses and devices.
 *
 * Browsers in which an account has signed in are trusted: their attempts are counted separately, so that a stranger's
 * wrong passwords don't lock the owner out. A stolen device cookie gives a few attempts for one account, nothing else:
 * https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
export function createLoginThrottle(db: Database, keys: SecretKeys, kind: AccountKind) {
  const purpose = `${kind}-login-throttle`;
  const [signingKey, verifyingKeys] = [keys.signing(purpose), keys.verifying(purpose)];
  const [deviceKey, deviceKeys] = [keys.signing(`${kind}-device`), keys.verifying(`${kind}-device`)];
  const rowKey = (key: Buffer, counter: string) => `${purpose} ${hmac(key, counter)}`;
  return {
    /** Returns the key under which a browser's login attempts for an address are counted. */
    counterOf(loginName: string, caller: Caller): string {
      const device = readCookie(caller, deviceCookies[kind]);
      return device !== undefined && isTrusted(device, loginName) ? device : loginName;
    },

    /**
     * Counts an attempt before its outcome is known, so that parallel attempts gain nothing over serial ones.
     * @returns `wait`: how long until an attempt is allowed, 0 if this one is; `nextWait`: the wait before the next
     * attempt unless this one succeeds; `isFirst`: whether no earlier attempt is remembered
     * @throws UnavailableError if the store can't be written
     */
    countAttempt: (counter: string, at: Moment): Promise<CountedAttempt> =>
      inTransaction(db, async (transaction) => {
        const key = rowKey(signingKey, counter);
        const counts = await addPoints(transaction, [{ key, period: longestMemory }], 0, at);
        const { points = 0, expiresAt = at } = counts.get(key) ?? {};
        // Another replica's clock may be ahead, and an attempt may wait for the row. Neither makes a free attempt wait.
        const wait = waitAfter(points) > 0 ? expiresAt - longestWait - at : 0;
        if (wait > 0) return { wait, nextWait: wait, isFirst: false };
        const attempts = points + 1;
        const nextWait = waitAfter(attempts);
        await transaction
          .updateTable("rateLimit")
          .set({ points: attempts, expiresAt: at + nextWait + longestWait })
          .where("key", "=", key)
          .execute();
        return { wait: 0, nextWait, isFirst: attempts === 1 };
      }),

    /** Starts the wait after an attempt when that attempt is answered. A longer wait stays. */
    async beginWait(counter: string, wait: Milliseconds, at: Moment): Promise<void> {
      const expiresAt = at + wait + longestWait;
      const row = db.updateTable("rateLimit").where("key", "=", rowKey(signingKey, counter));
      await row.where("expiresAt", "<", expiresAt).set({ expiresAt }).execute();
    },

    /** Takes back an attempt that could not be checked. */
    async takeBack(counter: string): Promise<void> {
      const row = db.updateTable("rateLimit").where("key", "=", rowKey(signingKey, counter)).where("points", ">", 0);
      await row.set(({ eb }) => ({ points: eb("points", "-", 1) })).execute();
    },

    /** Forgets all attempts after a successful one. */
    async reset(counter: string): Promise<void> {
      const rows = verifyingKeys.map((key) => rowKey(key, counter));
      await db.deleteFrom("rateLimit").where("key", "in", rows).execute();
    },

    /** Trusts a browser for an account, which the cookie doesn't reveal. Returns the value of a Set-Cookie header. */
    trustDevice(loginName: string, { secure }: Caller): string {
      const device = signDevice(deviceKey, randomBytes(16).toString("base64url"), loginName);
      return writeCookie(deviceCookies[kind], device, { secure, lifetime: deviceLifetime / second });
    },
  };

  function isTrusted(device: string, loginName: string): boolean {
    const [id = ""] = device.split(".", 1);
    const presented = Buffer.from(device);
    return deviceKeys.some((key) => {
      const expected = Buffer.from(signDevice(key, id, loginName));
      return presented.length === expected.length && timingSafeEqual(presented, expected);
    });
  }
}

function signDevice(key: Buffer, id: string, loginName: string): string {
  return `${id}.${hmac(key, `${id} ${loginName}`)}`;
}

/**
 * Returns the wait after a number of attempts. The first ones have no wait, to allow for typing errors. From then on
 * each wait is four times the previous one, which allows ten attempts in a quarter of an hour.
 */
function waitAfter(attempts: number): Milliseconds {
  return attempts < 5 ? 0 : Math.min(2 * second * 4 ** (attempts - 5), longestWait);
}
