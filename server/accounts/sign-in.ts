import { type BulkheadPolicy, bulkhead } from "cockatiel";
import { type SqlBool, sql } from "kysely";
import { LRUCache } from "lru-cache";
import { hour, type Milliseconds, type Moment, minute, second } from "../../client/rules/time.ts";
import { networkOf } from "../http/client-address.ts";
import { type Failed, type RateLimited, UnavailableError } from "../platform/errors.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import type { AccountKind, ReportEvent } from "../platform/security-events.ts";
import { deleteInBatches } from "../store/housekeeping.ts";
import type { Database } from "../store/open-store.ts";
import { createRateLimiter } from "../store/rate-limiter.ts";
import { type Account, findAccount, loginNameOf, replacePasswordHash } from "./accounts.ts";
import { createLoginThrottle } from "./login-throttle.ts";
import { checkPassword, dummyHash, hashPassword } from "./password-hash.ts";
import { createTrustedDevices } from "./trusted-devices.ts";

/** A login attempt. */
interface Attempt {
  email: string;
  password: string;
  /** Network address of the caller. */
  address: string | undefined;
  /** The trusted-device cookie, if the browser sent one. */
  device?: string | undefined;
}

/** Unknown address, wrong password and locked account are all `unauthorized`, so that callers can't tell which it is. */
type Refused = Failed<"unauthorized"> | RateLimited;

/** `device` is the trusted-device cookie for the browser; `at` is the time of the attempt. */
type Authenticated = { status: "authenticated"; account: Account; device: string; at: Moment };

/** The result of a login, for customers and staff. `cookies` are values of Set-Cookie headers. */
export type SignInResult = { status: "success"; cookies: string[] } | Refused;

/** Checks the password of an attempt, within its limits. */
type Authenticate = (attempt: Attempt) => Promise<Authenticated | Refused>;

interface AuthenticationDeps {
  db: Database;
  keys: SecretKeys;
  metrics: Pick<Metrics, "signIns">;
  report: ReportEvent;
  clock(): Moment;
}

/** Waiting login attempts per address or device. */
const maxWaiting = 50;

/** Creates the password check for one kind of accounts. Its limits are in the store, for all replicas together. */
export function createAuthentication(
  kind: AccountKind,
  { db, keys, metrics, report, clock }: AuthenticationDeps,
): Authenticate {
  const devices = createTrustedDevices(keys, kind);
  const throttle = createLoginThrottle(db, keys, kind);
  const name = kind === "customer" ? "login" : "staff";
  // The limits of a network are wide: it may be an office, or many customers of one provider.
  const limits = [
    { name: `${name}-minute`, points: 30, duration: minute },
    { name: `${name}-hour`, points: 300, duration: hour },
  ];
  const limiter = createRateLimiter(db, keys, limits, report);
  /** A mutex per counter: parallel correct passwords must not use up the attempts before one resets them. */
  const mutexes = new LRUCache<string, BulkheadPolicy>({ max: 5_000, memoMethod: () => bulkhead(1, maxWaiting) });

  return async (attempt) => {
    const loginName = loginNameOf(attempt.email);
    const counter = devices.counterOf(loginName, attempt.device);
    const result = await mutexes.memo(counter).execute(() => authenticate(attempt, loginName, counter));
    metrics.signIns.inc({ kind, outcome: result.status === "authenticated" ? "success" : result.status });
    return result;
  };

  /**
   * An unknown address and a locked account take the same steps as a wrong password, so that neither the outcome nor
   * its time reveals which it is.
   */
  async function authenticate(attempt: Attempt, loginName: string, counter: string): Promise<Authenticated | Refused> {
    const at = clock();
    const network = networkOf(attempt.address) ?? "unknown";
    const networkWait = await limiter.wait(network, at);
    if (networkWait > 0) return rateLimited(networkWait);
    const { wait, nextWait } = await throttle.countAttempt(counter, at);
    if (wait > 0) return rateLimited(wait);

    const account = await findAccount(db, kind, attempt.email);
    const { right, outdated } = await checkPassword(attempt.password, account?.passwordHash ?? dummyHash);
    const isAllowed = account !== undefined && right && account.locked === 0;
    // Checked again, so that many parallel attempts get no further than serial ones. Correct passwords don't count:
    // many people may share a network.
    const lateWait = isAllowed ? await limiter.wait(network, at) : await limiter.consume(network, at);
    if (!isAllowed && nextWait > 0)
      report({ event: "authn_login_lock", kind, account: loginName, reason: "tries", network });
    if (lateWait > 0) return rateLimited(lateWait);
    if (!isAllowed) return { status: "unauthorized" };
    await throttle.reset(counter);
    if (outdated) await replacePasswordHash(db, account, await hashPassword(attempt.password));
    // Customers sign in all day; only logins of staff are worth an operator's attention.
    if (kind === "staff") report({ event: "authn_login_success", kind, account: loginName, network });
    return { status: "authenticated", account, device: devices.trust(loginName), at };
  }
}

function rateLimited(wait: Milliseconds): RateLimited {
  return { status: "rateLimited", retryAfter: Math.ceil(wait / second) };
}

/** Logs somebody in, and throws UnavailableError for whatever keeps the service from doing so. */
export async function loginOrUnavailable(login: () => Promise<SignInResult>): Promise<SignInResult> {
  try {
    return await login();
  } catch (cause) {
    throw new UnavailableError("login unavailable", { cause });
  }
}

/** Deletes expired sessions, and counts of login attempts and rate limits. */
export async function cleanUpSignIns(db: Database, at: Moment): Promise<void> {
  const isExpired = sql<SqlBool>`${sql.ref("expiresAt")} <= ${at}`;
  await deleteInBatches(db, "session", "id", isExpired);
  await deleteInBatches(db, "rateLimit", "key", isExpired);
}
