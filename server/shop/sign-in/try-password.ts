import { type Milliseconds, type Moment, second } from "../../../client/rules/time.ts";
import { networkOf } from "../../http/network.ts";
import type { ReportEvent } from "../../security-events.ts";
import type { RateLimited } from "../../services/failed.ts";
import type { SignInResult } from "../../services/sign-in-result.ts";
import type { Database } from "../store/open-store.ts";
import type { RateLimiter } from "../store/rate-limiter.ts";
import { type Account, type Accounts, loginNameOf } from "./accounts.ts";
import { checkPassword, hashPassword, nobodysHash } from "./password-hash.ts";
import type { Throttle } from "./throttle.ts";

/** What somebody has entered, and from where. */
export interface Attempt {
  email: string;
  password: string;
  /** Network address of the caller. */
  address: string | undefined;
  /** By what the caller's browser may be known. */
  device: string | undefined;
}

interface TryParts {
  db: Database;
  accounts: Pick<Accounts, "kind" | "find" | "keepHash">;
  /** Counts the failures of networks. */
  limiter: RateLimiter;
  /** Counts the tries of addresses, and those of known browsers. */
  throttle: Throttle;
  report: ReportEvent;
}

type Tried = { status: "right"; account: Account } | Exclude<SignInResult, { status: "success" }>;

/**
 * Tries a password, within the limits of the network and the counter. An unknown address and a locked account take the
 * same steps as a wrong password, so that neither the outcome nor its time tells which it is
 * (test/server/shop/sign-in/throttle.test.ts).
 * @param counter - by what the tries are counted: the address, or a known browser
 * @throws UnavailableError when passwords can't be checked, or what the store throws
 */
export async function tryPassword(
  { db, accounts, limiter, throttle, report }: TryParts,
  { email, password, address }: Attempt,
  counter: string,
  at: Moment,
): Promise<Tried> {
  const network = networkOf(address) ?? "unknown";
  const loginName = loginNameOf(email);
  const networkWait = await limiter.wait(network, at);
  if (networkWait > 0) return rateLimited(networkWait);
  const { wait, nextWait } = await throttle.begin(counter, at);
  if (wait > 0) return rateLimited(wait);

  const account = await accounts.find(db, email);
  const { right, outdated } = await checkPassword(password, account?.passwordHash ?? nobodysHash);
  const isIn = account !== undefined && right && account.locked === 0;
  // Of many tries at once, those that end when the budget is used up stay untold, as if they had come one after the
  // other (test/server/shop/sign-in/strangers.test.ts). Right passwords take nothing off it: many may share a network.
  const lateWait = isIn ? await limiter.wait(network, at) : await limiter.consume(network, at);
  if (!isIn && nextWait > 0)
    report({ event: "authn_login_lock", kind: accounts.kind, account: loginName, reason: "tries", network });
  if (lateWait > 0) return rateLimited(lateWait);
  if (!isIn) return { status: "unauthorized" };
  await throttle.forget(counter);
  if (outdated) await accounts.keepHash(db, account, await hashPassword(password));
  // Customers sign in all day; of staff, operators know who should.
  if (accounts.kind === "staff")
    report({ event: "authn_login_success", kind: accounts.kind, account: loginName, network });
  return { status: "right", account };
}

function rateLimited(wait: Milliseconds): RateLimited {
  return { status: "rateLimited", retryAfter: Math.ceil(wait / second) };
}
