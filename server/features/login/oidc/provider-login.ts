import { second } from "../../../../client/rules/time.ts";
import { confirms, isCurrent } from "../../../accounts/credential-generations.ts";
import {
  confirmProviderSession,
  endProviderSessions,
  endSessionsAtProvider,
  findProviderSession,
  type ProviderSession,
  startProviderSession,
} from "../../../accounts/provider-sessions.ts";
import { longSessionLimits, sessionLimits } from "../../../accounts/sessions.ts";
import type { Caller } from "../../../http/cookies.ts";
import type { Provider, SignedIn } from "../../../oidc/provider.ts";
import { createProviderLogout } from "../../../oidc/provider-logout.ts";
import type { FailedSignIn } from "../../../oidc/sign-in-failure.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { createSealedTexts } from "../../../platform/sealed-text.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import type { ReportEvent } from "../../../platform/security-events.ts";
import { createNetworkLimiter } from "../../../store/network-limiter.ts";
import { networkOf } from "../../../store/networks.ts";
import type { Database } from "../../../store/open-store.ts";
import { callbackPath } from "../redirects.ts";
import {
  type CallbackResult,
  type OwnSessions,
  type ProviderLogin,
  type Renewal,
  removeLoginCookies,
} from "../service.ts";
import { answerFromSessions } from "../sessions/session-answers.ts";
import { type Claims, createSessionCookies, renewAfter } from "../sessions/session-cookies.ts";
import { knownDataOf } from "./known-data.ts";
import { createRenewal } from "./renewal.ts";
import { createSessionTokens } from "./session-tokens.ts";

interface LoginContext {
  keys: SecretKeys;
  logger: Logger;
  metrics: Metrics;
  reportSecurityEvent: ReportEvent;
}

/**
 * Creates the login of customers at an OpenID provider. Its sessions are in the store, for any number of replicas, with
 * the provider's tokens. Its functions throw what the store throws.
 */
export function createProviderLogin(
  { keys, logger, metrics, reportSecurityEvent }: LoginContext,
  provider: Provider,
  db: Database,
): ProviderLogin & OwnSessions {
  const cookies = createSessionCookies(keys);
  const tokens = createSessionTokens(keys);
  const hints = createSealedTexts(keys, "login hints");
  const renew = createRenewal(db, provider, tokens);
  const providerLogout = createProviderLogout(provider, logger);
  // As wide as those of passwords: a network may be an office, or many customers of one mobile provider.
  const budget = { name: "login-callback", perMinute: 30, perHour: 300 };
  const limits = createNetworkLimiter(db, keys, budget, reportSecurityEvent);
  return {
    sessions: { kind: "customer", provider, end: (store, logout) => endSessionsAtProvider(store, provider, logout) },

    async begin({ origin, locale }, caller) {
      const { hint } = (await cookies.readAny(caller)) ?? {};
      const email = hint && (await hints.open(hint));
      const parameters = { ui_locales: locale, ...(email && { login_hint: email }) };
      const { url, cookie } = await provider.begin(caller, { redirectUri: `${origin}${callbackPath}`, parameters });
      return { url, cookies: [cookie] };
    },

    async complete(answer, caller) {
      const result = await admit(answer, caller);
      metrics.signIns.inc({ kind: "customer", outcome: outcomeOf(result.status) });
      return result;
    },

    async logout(caller) {
      await signOut(caller);
      return removeLoginCookies(caller);
    },

    async leave({ origin }, caller) {
      const [idToken] = await signOut(caller);
      const url = idToken && (await providerLogout.leave(idToken, `${origin}/`));
      return { cookies: removeLoginCookies(caller), url };
    },

    ...answerFromSessions({ renewSession, identify, findAny }),

    async renewLongtermToken(caller) {
      const session = await findCurrent(await cookies.readAny(caller));
      return session ? writeCookies(session, caller) : removeLoginCookies(caller);
    },
  };

  /** Completes a sign-in within the limits of its network, whose failures count. */
  async function admit(answer: URL, caller: Caller): Promise<CallbackResult> {
    const wait = await limits.wait(caller.ip, Date.now());
    if (wait > 0) return rateLimited(wait, []);
    const { result, cookie } = await provider.complete(caller, answer);
    if (result.status === "signedIn")
      return { status: "success", cookies: [cookie, ...(await signIn(result, caller))] };
    // Another tab has signed the visitor in.
    if (result.status === "lost" && (await identify(caller))) return { status: "success", cookies: [cookie] };
    return refuse(result, cookie, caller);
  }

  async function refuse({ status, reason }: FailedSignIn, cookie: string, caller: Caller): Promise<CallbackResult> {
    if (status === "invalid" || status === "wrongClock")
      reportSecurityEvent({ event: "authn_login_fail", kind: "customer", reason, network: networkOf(caller.ip) });
    // Neither the provider's failures nor a changed mind are an attack.
    const counts = status !== "unavailable" && status !== "refused";
    const wait = counts ? await limits.record(caller.ip, Date.now()) : 0;
    return wait > 0 ? rateLimited(wait, [cookie]) : { status, cookies: [cookie] };
  }

  async function signIn({ claims, idToken, refreshToken }: SignedIn, caller: Caller): Promise<string[]> {
    await endPresentedSessions(caller);
    const session = await startProviderSession(db, {
      issuer: provider.issuer,
      clientId: provider.clientId,
      sub: claims.sub,
      sid: typeof claims.sid === "string" ? claims.sid : null,
      ...knownDataOf(claims),
      tokens: await tokens.seal({ idToken, refreshToken }),
      stay: refreshToken !== undefined,
    });
    return writeCookies(session, caller);
  }

  /**
   * Renews a session by asking the provider. Credentials whose successors another tab has got already get the same ones.
   * Without a refresh token the session stays as it is.
   */
  async function renewSession(caller: Caller): Promise<Renewal> {
    const claims = await cookies.readAny(caller);
    const session = await findCurrent(claims, endReused);
    const mayRenew = session?.stay === 1 && claims?.gen === session.generation;
    const renewed = mayRenew ? await renew(session) : session;
    if (!renewed) return { status: "ended", cookies: removeLoginCookies(caller) };
    return { status: isLast(renewed) ? "last" : "renewed", cookies: await writeCookies(renewed, caller) };
  }

  async function identify(caller: Caller) {
    const session = await findCurrent(await cookies.read(caller, "login"));
    if (!session) return undefined;
    const { email, firstName, lastName } = session;
    return { email: email ?? "", ...(firstName && { firstName }), ...(lastName && { lastName }), consents: [] };
  }

  /**
   * Finds the session of a credential; undefined if it has ended, began at another provider, or if the credential is used
   * up.
   * @param end - gets a session whose credential is used up
   */
  async function findCurrent(claims: Claims | undefined, end?: (session: ProviderSession) => Promise<void>) {
    const session = claims && (await findProviderSession(db, claims.sid));
    if (!session) return undefined;
    // The sites of other providers sign their cookies by the same keys.
    if (session.issuer !== provider.issuer || session.clientId !== provider.clientId) return undefined;
    if (!isCurrent(session, claims.gen, Date.now())) {
      await end?.(session);
      return undefined;
    }
    if (confirms(session, claims.gen)) await confirmProviderSession(db, session);
    return session;
  }

  /** Ends a session when a credential is sent long after its successor: somebody has stolen one of the two. */
  async function endReused({ id, sub }: ProviderSession): Promise<void> {
    await endProviderSessions(db, [id]);
    reportSecurityEvent({ event: "authn_token_reuse", kind: "customer", account: sub });
  }

  /** Finds the session of either credential. */
  async function findAny(caller: Caller) {
    return (
      (await findCurrent(await cookies.read(caller, "login"))) ??
      (await findCurrent(await cookies.read(caller, "LongtermToken")))
    );
  }

  /** Ends the caller's sessions, and has their refresh tokens revoked meanwhile. Returns their ID tokens. */
  async function signOut(caller: Caller): Promise<string[]> {
    const ended = await Promise.all((await endPresentedSessions(caller)).map(tokens.open));
    for (const session of ended) if (session?.refreshToken) void providerLogout.revoke(session.refreshToken);
    return ended.flatMap((session) => session?.idToken ?? []);
  }

  async function endPresentedSessions(caller: Caller) {
    return endProviderSessions(db, await cookies.readIds(caller));
  }

  async function writeCookies(session: ProviderSession, caller: Caller): Promise<string[]> {
    const { email, expiresAt } = session;
    const renewAt = isLast(session) ? expiresAt : askedAt(session) + renewAfter;
    const hint = email === null ? {} : { hint: await hints.seal(email) };
    return cookies.write(session, caller, { renewAt, claims: hint });
  }
}

/** When the provider was last asked about a session. */
function askedAt({ rotatedAt, endsAt, stay }: ProviderSession): number {
  return rotatedAt ?? endsAt - (stay === 1 ? longSessionLimits : sessionLimits).absolute;
}

/** Whether a session won't be renewed: it has reached its absolute end, or the provider can't be asked. */
function isLast({ stay, expiresAt, endsAt }: ProviderSession): boolean {
  return stay === 0 || expiresAt === endsAt;
}

function rateLimited(wait: number, cookies: string[]): CallbackResult {
  return { status: "rateLimited", retryAfter: Math.max(1, Math.ceil(wait / second)), cookies };
}

function outcomeOf(status: CallbackResult["status"]): string {
  if (status === "success" || status === "rateLimited" || status === "unavailable") return status;
  return "unauthorized";
}
