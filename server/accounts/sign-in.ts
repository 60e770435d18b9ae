import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { BulkheadRejectedError, bulkhead, TaskCancelledError } from "cockatiel";
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
import { createAudit } from "../store/audit-events.ts";
import { createNetworkLimiter } from "../store/network-limiter.ts";
import { networkOf } from "../store/networks.ts";
import type { Database } from "../store/open-store.ts";
import { type Account, findAccount, loginNameOf, replacePasswordHash } from "./accounts.ts";
import { mostCost } from "./hash-cost.ts";
import { createLoginThrottle } from "./login-throttle.ts";
import { beginCheck, dummyHash, ownDuration, type PasswordCheck } from "./password-hash.ts";

/** Too many attempts by this caller (`rateLimited`), or by all callers at once (`unavailable`). */
interface Throttled extends Failed<"rateLimited" | "unavailable"> {
  /** When to try again, in seconds. */
  retryAfter: number;
}

/**
 * Unknown addresses, wrong passwords and locked accounts all get `unauthorized`, so that callers can't tell them apart.
 */
type Refused = Failed<"unauthorized"> | Throttled;

/** `deviceCookie` makes the browser a trusted device. It is the value of a Set-Cookie header. */
type Authenticated = { status: "authenticated"; account: Account; deviceCookie: string };

/** The result of a login, for customers and staff. `cookies` are values of Set-Cookie headers. */
export type SignInResult = { status: "success"; cookies: string[] } | Refused;

/** An attempt whose password has been hashed once. */
interface Begun {
  loginName: string;
  /** The counter to which its failure is added. */
  counter: string;
  /** How long the next attempt has to wait if this one fails. */
  nextWait: Milliseconds;
  isFirst: boolean;
  account: Account | undefined;
  check: PasswordCheck;
}

export interface SignInContext {
  keys: SecretKeys;
  logger: Logger;
  metrics: Metrics;
  reportSecurityEvent: ReportEvent;
}

/** How many login attempts may wait for a place: of all callers, and of one network or for one address. */
const maxWaiting = { all: 40, one: 200 };
/** How long a login attempt waits for its turn. */
const longestWait: Milliseconds = 5 * second;
/**
 * A wrong password is refused when this many times the duration of the service's own hash has passed after that hash.
 * That is enough for the costliest hash that an import accepts, although times vary.
 */
const refusalFactor = mostCost + 1;
/** The upper limit of that time, on a machine too busy for equal times. Callers wait for ten seconds. */
const longestRefusal: Milliseconds = 3 * second;

/** Creates the password check for one kind of account. Its limits are in the store, shared by all replicas. */
export function createAuthentication(
  kind: AccountKind,
  db: Database,
  { keys, logger, metrics, reportSecurityEvent }: SignInContext,
): (email: string, password: string, caller: Caller) => Promise<Authenticated | Refused> {
  const audit = createAudit(keys, null);
  const throttle = createLoginThrottle(db, keys, kind);
  // The limits of a network are wide: it may be an office, or many customers of one provider.
  const budget = { name: kind === "customer" ? "login" : "staff", perMinute: 30, perHour: 300 };
  const limits = createNetworkLimiter(db, keys, budget, reportSecurityEvent);
  const queuesOf = (parallel: number) =>
    new LRUCache({ max: 5_000, memoMethod: () => bulkhead(parallel, maxWaiting.one) });
  /** A queue per network, so that a flood from one network takes few of the places in which passwords are checked. */
  const networks = queuesOf(3);
  /** A mutex per counter. Otherwise parallel correct passwords would use up the attempts before one resets them. */
  const mutexes = queuesOf(1);
  /** Trusted browsers don't wait behind strangers. Each group has enough places to keep the hashing busy. */
  const [trusted, strangers] = [bulkhead(4, maxWaiting.all), bulkhead(4, maxWaiting.all)];
  /** The places for older hashes. Further attempts for an account leave room for first ones. */
  const [firstOlder, furtherOlder] = [bulkhead(2, maxWaiting.one), bulkhead(1, maxWaiting.one)];
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

  /**
   * Checks an attempt in its turn. Its network's limit is checked once, when it arrives: a right password isn't refused
   * because of wrong ones that arrived at the same time. An attempt that isn't checked isn't counted.
   */
  async function admit(email: string, password: string, caller: Caller): Promise<Authenticated | Refused> {
    const wait = await limits.wait(caller.ip, Date.now());
    if (wait > 0) return rateLimited(wait);
    const network = networks.memo(networkOf(caller.ip));
    if (network.queueSlots === 0) return rateLimited(0);
    const counter = throttle.counterOf(loginNameOf(email), caller);
    const places = counter === loginNameOf(email) ? strangers : trusted;
    const signal = AbortSignal.timeout(longestWait);
    // Without this, it would run in the request context of the attempt that made room.
    const begin = AsyncLocalStorage.bind(() => beginAttempt(email, password, counter));
    try {
      const inPlace = () => network.execute(() => places.execute(begin, signal), signal);
      const begun = await mutexes.memo(counter).execute(inPlace, signal);
      const result = "status" in begun ? begun : await finishAttempt(begun, caller, signal);
      if (places.queueSlots === maxWaiting.all) health.up();
      return result;
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError || error instanceof TaskCancelledError)) throw error;
      health.down({ reason: "too many at once" });
      return { status: "unavailable", retryAfter: retryAfterOverload() };
    }
  }

  /**
   * Counts an attempt and hashes its password once, even for an unknown address or a locked account. The attempt holds
   * its places and queues only during this, which takes the same time for all.
   */
  async function beginAttempt(email: string, password: string, counter: string): Promise<Begun | Throttled> {
    const { wait, nextWait, isFirst } = await throttle.countAttempt(counter, Date.now());
    if (wait > 0) return rateLimited(wait);
    const account = await findAccount(db, kind, email);
    const check = await beginCheck(password, account?.passwordHash ?? dummyHash);
    if (check.right && account?.locked === 0) await throttle.reset(counter);
    return { loginName: loginNameOf(email), counter, nextWait, isFirst, account, check };
  }

  /**
   * Ends an attempt that no longer holds a place. Unknown addresses, locked accounts and accounts with any kind of hash
   * wait alike for older hashes, and are refused at the same time after the first hash. So neither the outcome nor its
   * time reveals which case it is.
   */
  async function finishAttempt(begun: Begun, caller: Caller, signal: AbortSignal): Promise<Authenticated | Refused> {
    const { loginName, counter, nextWait, isFirst, account, check } = begun;
    const refuseAt = performance.now() + Math.min(refusalFactor * ownDuration(), longestRefusal);
    const older = isFirst ? firstOlder : furtherOlder;
    const isRight = check.right || (await older.execute(check.checkOlder, signal).catch(takeBack));
    const event = { kind, account: loginName, network: networkOf(caller.ip) };
    if (!account || !isRight || account.locked === 1) {
      // Correct passwords don't count: many people may share a network.
      const networkWait = await limits.record(caller.ip, Date.now());
      if (nextWait > 0) reportSecurityEvent({ event: "authn_login_lock", reason: "tries", ...event });
      // Not for unknown addresses and customers: anybody could fill the table.
      if (nextWait > 0 && account && kind === "staff")
        await audit.record(db, { event: "authn_login_lock", kind, account: loginName });
      await pause(Math.max(0, refuseAt - performance.now()));
      if (nextWait > 0) await throttle.beginWait(counter, nextWait, Date.now());
      return networkWait > 0 ? rateLimited(networkWait) : { status: "unauthorized" };
    }
    if (!check.right) {
      await throttle.reset(counter);
      await replacePasswordHash(db, account, check.ownHash);
    }
    // Customers sign in all day. Only logins of staff are worth an operator's attention.
    if (kind === "staff") {
      await audit.record(db, { event: "authn_login_success", kind, account: loginName });
      reportSecurityEvent({ event: "authn_login_success", ...event });
    }
    return { status: "authenticated", account, deviceCookie: throttle.trustDevice(event.account, caller) };

    async function takeBack(error: unknown): Promise<never> {
      await throttle.takeBack(counter);
      throw error;
    }
  }
}

function rateLimited(wait: Milliseconds): Throttled {
  return { status: "rateLimited", retryAfter: Math.max(1, Math.ceil(wait / second)) };
}
