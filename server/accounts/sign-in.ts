import { BulkheadRejectedError, bulkhead } from "cockatiel";
import { LRUCache } from "lru-cache";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { Caller } from "../http/cookies.ts";
import { retryAfterOverload } from "../http/load-shedding.ts";
import type { Failed } from "../platform/errors.ts";
import { createHealthLog } from "../platform/health-log.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import type { AccountKind, ReportEvent } from "../platform/security-events.ts";
import { createNetworkLimiter, networkOf } from "../store/network-limiter.ts";
import type { Database } from "../store/open-store.ts";
import { type Account, findAccount, loginNameOf, replacePasswordHash } from "./accounts.ts";
import { createLoginThrottle } from "./login-throttle.ts";
import { checkPassword, dummyHash, hashPassword } from "./password-hash.ts";

/** Too many attempts: of this caller (`rateLimited`), or of all callers at once (`unavailable`). */
interface Throttled extends Failed<"rateLimited" | "unavailable"> {
  /** When to try again, in seconds. */
  retryAfter: number;
}

/** Unknown address, wrong password and locked account are all `unauthorized`, so that callers can't tell which it is. */
export type Refused = Failed<"unauthorized"> | Throttled;

/** `deviceCookie` makes the browser a trusted device. It is the value of a Set-Cookie header. */
type Authenticated = { status: "authenticated"; account: Account; deviceCookie: string };

/** The result of a login, for customers and staff. `cookies` are values of Set-Cookie headers. */
export type SignInResult = { status: "success"; cookies: string[] } | Refused;

export interface SignInContext {
  keys: SecretKeys;
  logger: Logger;
  metrics: Metrics;
  reportSecurityEvent: ReportEvent;
}

/** How many login attempts wait in each queue. */
const maxWaiting = 40;

/** Creates the password check for one kind of accounts. Its limits are in the store, for all replicas together. */
export function createAuthentication(
  kind: AccountKind,
  db: Database,
  { keys, logger, metrics, reportSecurityEvent }: SignInContext,
): (email: string, password: string, caller: Caller) => Promise<Authenticated | Refused> {
  const throttle = createLoginThrottle(db, keys, kind);
  // The limits of a network are wide: it may be an office, or many customers of one provider.
  const budget = { name: kind === "customer" ? "login" : "staff", perMinute: 30, perHour: 300 };
  const limits = createNetworkLimiter(db, keys, budget, reportSecurityEvent);
  const queuesOf = (parallel: number) => new LRUCache({ max: 5_000, memoMethod: () => bulkhead(parallel, maxWaiting) });
  /** A queue per network: a flood from one takes few of the places in which passwords are checked. */
  const networks = queuesOf(2);
  /** A mutex per counter: parallel correct passwords must not use up the attempts before one resets them. */
  const mutexes = queuesOf(1);
  /** Trusted browsers don't wait behind strangers. Both have enough places to keep the hashing busy. */
  const [trusted, strangers] = [bulkhead(4, maxWaiting), bulkhead(4, maxWaiting)];
  const health = createHealthLog(logger, {
    down: "sign-ins refused",
    up: "sign-ins no longer refused",
    fields: { kind },
  });

  return async (email, password, caller) => {
    const result = await admit(email, password, caller);
    metrics.signIns.inc({ kind, outcome: result.status === "authenticated" ? "success" : result.status });
    return result;
  };

  /** Checks an attempt in its turn. One that isn't checked counts for its network alone, and not for the address. */
  async function admit(email: string, password: string, caller: Caller): Promise<Authenticated | Refused> {
    const counter = throttle.counterOf(loginNameOf(email), caller);
    const places = counter === loginNameOf(email) ? strangers : trusted;
    const network = networks.memo(networkOf(caller.ip));
    const isFlooding = network.queueSlots === 0;
    try {
      const result = await network.execute(async () => {
        const wait = await limits.wait(caller.ip, Date.now());
        if (wait > 0) return rateLimited(wait);
        const mutex = mutexes.memo(counter);
        return mutex.execute(() => places.execute(() => authenticate(email, password, caller, counter)));
      });
      if (places.queueSlots === maxWaiting) health.answered();
      return result;
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error;
      const wait = (await limits.wait(caller.ip, Date.now())) || (await limits.consume(caller.ip, Date.now()));
      if (wait > 0 || isFlooding) return rateLimited(wait);
      health.failed({ reason: "too many at once" });
      return { status: "unavailable", retryAfter: retryAfterOverload() };
    }
  }

  /**
   * An unknown address and a locked account take the same steps as a wrong password, so that neither the outcome nor
   * its time reveals which it is.
   */
  async function authenticate(
    email: string,
    password: string,
    caller: Caller,
    counter: string,
  ): Promise<Authenticated | Refused> {
    const { wait, nextWait } = await throttle.countAttempt(counter, Date.now());
    if (wait > 0) return rateLimited(wait);

    const account = await findAccount(db, kind, email);
    const { right, outdated } = await checkPassword(password, account?.passwordHash ?? dummyHash);
    const event = { kind, account: loginNameOf(email), network: networkOf(caller.ip) };
    if (!account || !right || account.locked === 1) {
      // Correct passwords don't count: many people may share a network.
      const networkWait = await limits.consume(caller.ip, Date.now());
      if (nextWait > 0) reportSecurityEvent({ event: "authn_login_lock", reason: "tries", ...event });
      return networkWait > 0 ? rateLimited(networkWait) : { status: "unauthorized" };
    }
    await throttle.reset(counter);
    if (outdated) await replacePasswordHash(db, account, await hashPassword(password));
    // Customers sign in all day; only logins of staff are worth an operator's attention.
    if (kind === "staff") reportSecurityEvent({ event: "authn_login_success", ...event });
    return { status: "authenticated", account, deviceCookie: throttle.trustDevice(event.account, caller) };
  }
}

function rateLimited(wait: Milliseconds): Throttled {
  return { status: "rateLimited", retryAfter: Math.max(1, Math.ceil(wait / second)) };
}
