import { second } from "../../../../client/rules/time.ts";
import { loginNameOf, provideStaffAccount } from "../../../accounts/accounts.ts";
import type { Caller } from "../../../http/cookies.ts";
import { createProvider } from "../../../oidc/provider.ts";
import type { SignInFailure } from "../../../oidc/sign-in-failure.ts";
import { createAudit } from "../../../store/audit-events.ts";
import { createNetworkLimiter } from "../../../store/network-limiter.ts";
import { networkOf } from "../../../store/networks.ts";
import type { Database } from "../../../store/open-store.ts";
import type { AppContext } from "../../feature.ts";
import type { StaffSessions } from "../embedded/staff-sessions.ts";
import { type AccessRefusal, findAccessRefusal } from "./staff-access.ts";

/** How a sign-in ends. `cookies` are values of Set-Cookie headers. */
export type ProviderSignIn =
  | { status: "success"; cookies: string[]; target: string | undefined }
  | { status: SignInFailure | AccessRefusal; cookies: string[] }
  | { status: "rateLimited"; cookies: string[]; retryAfter: number };

export type ProviderSignIns = ReturnType<typeof createProviderSignIn>;

/** Signs staff in at an identity provider. The functions throw what the provider and the store throw. */
export function createProviderSignIn(
  context: AppContext,
  db: Database,
  staff: StaffSessions,
  { access, ...client }: NonNullable<AppContext["env"]["staffProvider"]>,
) {
  const { keys, logger, metrics, reportSecurityEvent } = context;
  const audit = createAudit(keys, null);
  const claims = [access.claim, "email", ...(access.acr === undefined ? [] : ["acr", "amr"])];
  const provider = createProvider(client, { kind: "staff", claims }, context, db);
  // The limits of a network are wide: it may be an office.
  const budget = { name: "staff", perMinute: 30, perHour: 300 };
  const limits = createNetworkLimiter(db, keys, budget, reportSecurityEvent);
  return {
    /**
     * Begins a sign-in.
     * @param again - asks for the account even if the provider remembers one: the person may want to use another
     * @param target - what the sign-in leads to
     * @returns the address at the provider, and the value of a Set-Cookie header
     */
    begin: (caller: Caller, redirectUri: string, again: boolean, target: string | undefined) => {
      const { acr } = access;
      const parameters = { ...(acr !== undefined && { acr_values: acr }), ...(again && { prompt: "login" }) };
      return provider.begin(caller, { redirectUri, parameters, target });
    },

    /** Ends a sign-in with the address to which the provider has led the browser. */
    async complete(caller: Caller, answer: URL): Promise<ProviderSignIn> {
      const result = await complete(caller, answer);
      const { status } = result;
      const outcome =
        status === "success" || status === "rateLimited" || status === "unavailable" ? status : "unauthorized";
      metrics.signIns.inc({ kind: "staff", outcome });
      return result;
    },

    hasSession: async (caller: Caller): Promise<boolean> => (await staff.find(caller)) !== undefined,
  };

  async function complete(caller: Caller, answer: URL): Promise<ProviderSignIn> {
    const wait = await limits.wait(caller.ip, Date.now());
    if (wait > 0) return { status: "rateLimited", cookies: [], retryAfter: Math.ceil(wait / second) };
    const { result, cookie } = await provider.complete(caller, answer);
    if (result.status !== "signedIn") {
      logger.info({ kind: "staff", reason: result.reason }, "sign-in at the identity provider failed");
      // Cancelling a sign-in is no attack.
      if (result.status === "lost" || result.status === "invalid") await limits.record(caller.ip, Date.now());
      return { status: result.status, cookies: [cookie] };
    }
    const { claims, target } = result;
    const account = String(claims.email ?? claims.sub);
    const about = { kind: "staff", account: loginNameOf(account) } as const;
    const event = { ...about, network: networkOf(caller.ip) };
    const refusal = findAccessRefusal(access, claims);
    const known = refusal ? undefined : await provideStaffAccount(db, account);
    if (!known || known.locked === 1) {
      await audit.record(db, { event: "authz_fail", ...about });
      reportSecurityEvent({ event: "authz_fail", ...event });
      return { status: refusal ?? "notAllowed", cookies: [cookie] };
    }
    await audit.record(db, { event: "authn_login_success", ...about });
    reportSecurityEvent({ event: "authn_login_success", ...event });
    return { status: "success", cookies: [cookie, ...(await staff.start(known, caller))], target };
  }
}
