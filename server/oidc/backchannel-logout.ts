import { createHash } from "node:crypto";
import { second } from "../../client/rules/time.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import type { AccountKind, ReportEvent } from "../platform/security-events.ts";
import { addPoints } from "../store/counters.ts";
import { createNetworkLimiter } from "../store/network-limiter.ts";
import { networkOf } from "../store/networks.ts";
import { type Database, inTransaction } from "../store/open-store.ts";
import { createLogoutTokenCheck, isAddressedTo, type ProviderLogout } from "./logout-token.ts";
import { clocksDiffer, type Provider } from "./provider.ts";

/** The sessions of those whom a provider has signed in for one of our clients. */
export interface ProviderSessions {
  kind: AccountKind;
  provider: Provider;
  /**
   * Ends sessions on all sites.
   * @returns how many there were
   */
  end(db: Database, logout: Pick<ProviderLogout, "sid" | "sub">): Promise<number>;
}

/** How a provider's call ends; `unknown` if there is no such session. */
export type LogoutResult =
  | { status: "ended" | "unknown" }
  | { status: "refused"; reason: string }
  | { status: "rateLimited"; retryAfter: number };

export interface LogoutContext {
  keys: SecretKeys;
  metrics: Metrics;
  reportSecurityEvent: ReportEvent;
}

export type BackchannelLogout = ReturnType<typeof createBackchannelLogout>;

/** The refused calls of a network. All others are unlimited, because a provider may sign out everybody at once. */
const budget = { name: "backchannel-logout", perMinute: 30, perHour: 300 };

/** Creates what ends sessions when their provider says so (OpenID Connect Back-Channel Logout 1.0). */
export function createBackchannelLogout(
  sessions: readonly ProviderSessions[],
  { keys, metrics, reportSecurityEvent }: LogoutContext,
  db: Database,
) {
  const clients = sessions.map((one) => ({ ...one, check: createLogoutTokenCheck(one.provider) }));
  const limits = createNetworkLimiter(db, keys, budget, reportSecurityEvent);
  return { admit, logout };

  /**
   * Checks whether a network may call, before its call is read.
   * @returns undefined if it may
   * @throws UnavailableError if the store can't be read
   */
  async function admit(address: string | undefined): Promise<LogoutResult | undefined> {
    const wait = await limits.wait(address, Date.now());
    return wait > 0 ? count({ status: "rateLimited", retryAfter: Math.ceil(wait / second) }) : undefined;
  }

  /**
   * Ends the sessions that a logout token names. A token counts once, on all replicas.
   * @param token - undefined if the call has none
   * @throws UnavailableError if the provider's keys can't be fetched, or the store can't be written
   */
  async function logout(token: string | undefined, address: string | undefined): Promise<LogoutResult> {
    const result = await tryLogout(token).catch((error: unknown) => {
      metrics.backchannelLogouts.inc({ outcome: "unavailable" });
      throw error;
    });
    if (result.status === "refused") {
      const { reason } = result;
      reportSecurityEvent({ event: "authn_logout_fail", reason, network: networkOf(address) });
      await limits.record(address, Date.now());
    }
    return count(result);
  }

  async function tryLogout(token = ""): Promise<LogoutResult> {
    const addressed = clients.filter(({ provider }) => isAddressedTo(provider, token));
    const [client] = addressed;
    if (!client) return { status: "refused", reason: "no token for this service" };
    const checked = await client.check(token);
    if (checked.status === "refused") return checked;
    const ended = await endOnce(checked, addressed);
    if (ended === undefined) return { status: "refused", reason: "used before" };
    for (const kind of ended)
      reportSecurityEvent({ event: "authn_token_revoked", kind, reason: "provider", ...accountOf(checked) });
    return { status: ended.length > 0 ? "ended" : "unknown" };
  }

  /**
   * Ends sessions, and records that the token is used, both or neither: after a failure, the provider may send it again.
   * @returns whose sessions have ended; undefined if the token was used before
   */
  function endOnce(logout: ProviderLogout, addressed: readonly ProviderSessions[]): Promise<AccountKind[] | undefined> {
    return inTransaction(db, async (transaction) => {
      const at = Date.now();
      const digest = createHash("sha256")
        .update(JSON.stringify([logout.iss, logout.jti]))
        .digest("base64url");
      const key = `logout ${digest}`;
      const counts = await addPoints(transaction, [{ key, period: (logout.exp + clocksDiffer) * second - at }], 1, at);
      if ((counts.get(key)?.points ?? 0) > 1) return undefined;
      const kinds: AccountKind[] = [];
      for (const { kind, end } of addressed) if ((await end(transaction, logout)) > 0) kinds.push(kind);
      return kinds;
    });
  }

  function count(result: LogoutResult): LogoutResult {
    metrics.backchannelLogouts.inc({ outcome: result.status });
    return result;
  }
}

/** A logout of one session may not name the person. */
function accountOf({ sub }: ProviderLogout): { account?: string } {
  return sub === undefined ? {} : { account: sub };
}
