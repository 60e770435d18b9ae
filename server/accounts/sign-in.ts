import { type BulkheadPolicy, bulkhead } from "cockatiel";
import { LRUCache } from "lru-cache";
import { hour, type Milliseconds, minute, second } from "../../client/rules/time.ts";
import { networkOf } from "../http/client-address.ts";
import type { Caller } from "../http/cookies.ts";
import { type Failed, type RateLimited, UnavailableError } from "../platform/errors.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import type { AccountKind, ReportEvent } from "../platform/security-events.ts";
import type { Database } from "../store/open-store.ts";
import { createRateLimiter } from "../store/rate-limiter.ts";
import { type Account, findAccount, loginNameOf, replacePasswordHash } from "./accounts.ts";
import { createLoginThrottle } from "./login-throttle.ts";
import { checkPassword, dummyHash, hashPassword } from "./password-hash.ts";

/** Unknown address, wrong password and locked account are all `unauthorized`, so that callers can't tell which it is. */
type Refused = Failed<"unauthorized"> | RateLimited;

/** `deviceCookie` makes the browser a trusted device. It is the value of a Set-Cookie header. */
type Authenticated = { status: "authenticated"; account: Account; deviceCookie: string };

/** The result of a login, for customers and staff. `cookies` are values of Set-Cookie headers. */
export type SignInResult = { status: "success"; cookies: string[] } | Refused;

interface SignInContext {
  keys: SecretKeys;
  metrics: Metrics;
  reportSecurityEvent: ReportEvent;
}

/** Waiting login attempts per address or device. */
const maxWaiting = 50;

/** Creates the password check for one kind of accounts. Its limits are in the store, for all replicas together. */
export function createAuthentication(
  kind: AccountKind,
  db: Database,
  { keys, metrics, reportSecurityEvent }: SignInContext,
): (email: string, password: string, caller: Caller) => Promise<Authenticated | Refused> {
  const throttle = createLoginThrottle(db, keys, kind);
  const name = kind === "customer" ? "login" : "staff";
  // The limits of a network are wide: it may be an office, or many customers of one provider.
  const limits = [
    { name: `${name}-minute`, points: 30, duration: minute },
    { name: `${name}-hour`, points: 300, duration: hour },
  ];
  const limiter = createRateLimiter(db, keys, limits, reportSecurityEvent);
  /** A mutex per counter: parallel correct passwords must not use up the attempts before one resets them. */
  const mutexes = new LRUCache<string, BulkheadPolicy>({ max: 5_000, memoMethod: () => bulkhead(1, maxWaiting) });

  return async (email, password, caller) => {
    const counter = throttle.counterOf(loginNameOf(email), caller);
    try {
      const result = await mutexes.memo(counter).execute(() => authenticate(email, password, caller, counter));
      metrics.signIns.inc({ kind, outcome: result.status === "authenticated" ? "success" : result.status });
      return result;
    } catch (cause) {
      // The store fails, or too many attempts are waiting.
      throw new UnavailableError("login unavailable", { cause });
    }
  };

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
    const at = Date.now();
    const loginName = loginNameOf(email);
    const network = networkOf(caller.ip) ?? "unknown";
    const networkWait = await limiter.wait(network, at);
    if (networkWait > 0) return rateLimited(networkWait);
    const { wait, nextWait } = await throttle.countAttempt(counter, at);
    if (wait > 0) return rateLimited(wait);

    const account = await findAccount(db, kind, email);
    const { right, outdated } = await checkPassword(password, account?.passwordHash ?? dummyHash);
    const isAllowed = account !== undefined && right && account.locked === 0;
    // Checked again, so that many parallel attempts get no further than serial ones. Correct passwords don't count:
    // many people may share a network.
    const lateWait = isAllowed ? await limiter.wait(network, at) : await limiter.consume(network, at);
    if (!isAllowed && nextWait > 0)
      reportSecurityEvent({ event: "authn_login_lock", kind, account: loginName, reason: "tries", network });
    if (lateWait > 0) return rateLimited(lateWait);
    if (!isAllowed) return { status: "unauthorized" };
    await throttle.reset(counter);
    if (outdated) await replacePasswordHash(db, account, await hashPassword(password));
    // Customers sign in all day; only logins of staff are worth an operator's attention.
    if (kind === "staff") reportSecurityEvent({ event: "authn_login_success", kind, account: loginName, network });
    return { status: "authenticated", account, deviceCookie: throttle.trustDevice(loginName, caller) };
  }
}

function rateLimited(wait: Milliseconds): RateLimited {
  return { status: "rateLimited", retryAfter: Math.ceil(wait / second) };
}
