import { networkOf } from "../../http/network.ts";
import type { RateLimiter } from "../store/rate-limiter.ts";
import { checkPassword, hashPassword, nobodysHash } from "./password-hash.ts";
import type { Throttle } from "./throttle.ts";

/** A try to sign in. */
interface Try {
  /** By which tries of the address are counted. */
  loginName: string;
  password: string;
  /** Network address of who tries. */
  address: string | undefined;
  /** Now, in milliseconds since 1970 UTC. */
  at: number;
}

/** The account that the address has, if any. */
interface AccountOf<Account> {
  find(): Promise<Account | undefined>;
  /** Keeps the same password's newer hash. */
  keepHash(id: string, passwordHash: string): Promise<void>;
}

type Tried<Account> =
  | { status: "right"; account: Account }
  | { status: "unauthorized" }
  /** `retryAfter`: when to try again, in seconds. */
  | { status: "throttled"; retryAfter: number };

/**
 * Tries a password, within the limits of the network and the address. An unknown address and a locked account take the
 * same steps as a wrong password, so that neither the outcome nor its time tells which it is.
 * @throws UnavailableError when passwords can't be checked; whatever the store throws
 */
export async function tryPassword<Account extends { id: string; passwordHash: string; locked: number }>(
  { limiter, throttle }: { limiter: RateLimiter; throttle: Throttle },
  { loginName, password, address, at }: Try,
  { find, keepHash }: AccountOf<Account>,
): Promise<Tried<Account>> {
  const network = networkOf(address) ?? "unknown";
  const wait = (await limiter.wait(network, at)) || (await throttle.begin(loginName, at));
  if (wait > 0) return { status: "throttled", retryAfter: Math.ceil(wait / 1000) };

  const account = await find();
  const { right, outdated } = await checkPassword(password, account?.passwordHash ?? nobodysHash);
  if (!account || !right || account.locked === 1) {
    await limiter.consume(network, at);
    return { status: "unauthorized" };
  }
  await throttle.forget(loginName);
  if (outdated) await keepHash(account.id, await hashPassword(password));
  return { status: "right", account };
}
