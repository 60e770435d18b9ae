import { createHash } from "node:crypto";
import type { ClientAuth, Configuration, IDToken, UserInfoResponse } from "openid-client";
import { hour, type Milliseconds, second } from "../../client/rules/time.ts";
import type { IdentityProvider } from "../config/identity-providers.ts";
import type { Caller } from "../http/cookies.ts";
import { markReported, UnavailableError } from "../platform/errors.ts";
import { createHealthLog } from "../platform/health-log.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import type { AccountKind } from "../platform/security-events.ts";
import { addPoints } from "../store/counters.ts";
import type { Database } from "../store/open-store.ts";
import { createUpstreamHealthLog } from "../upstream/upstream.ts";
import { createPendingSignIns, pendingLifetime } from "./pending-sign-ins.ts";
import { callDeadline, createProviderFetch } from "./provider-fetch.ts";
import { type FailedSignIn, isInvalidGrant, signInFailureOf } from "./sign-in-failure.ts";

interface ProviderContext {
  env: { production: boolean };
  keys: SecretKeys;
  logger: Logger;
  metrics: Metrics;
}

interface ProviderOptions {
  /** Who signs in there. */
  kind: AccountKind;
  /** Codes of the sites whose customers sign in there, unless these are all sites. */
  sites?: readonly string[] | undefined;
  /** Claims for which the provider is asked if they aren't in the ID token. */
  claims: readonly string[];
  /** Whether sessions are renewed by refresh tokens. */
  offline?: boolean;
}

interface SignInRequest {
  /** The URL of this service to which the provider leads back. */
  redirectUri: string;
  /** Further parameters, such as `ui_locales` and `login_hint`. */
  parameters?: Record<string, string> | undefined;
  /** What the sign-in leads to; `complete` returns it. */
  target?: string | undefined;
}

export interface SignedIn {
  status: "signedIn";
  /** What the provider says about the person: the ID token's claims override those of userinfo. */
  claims: IDToken & Partial<UserInfoResponse>;
  idToken: string;
  refreshToken?: string | undefined;
  target?: string | undefined;
}

/** The tokens of a renewal: those that the provider hasn't replaced are undefined. */
interface Renewed {
  status: "renewed";
  idToken?: string | undefined;
  refreshToken?: string | undefined;
}

export type Provider = ReturnType<typeof createProvider>;

/** How long the discovery document is kept. The library keeps keys for 5 minutes, and asks once a minute for unknown ones. */
const discoveryLifetime: Milliseconds = hour;
/** How far a provider's clock may be ahead, in seconds: as far as the library lets it be behind. */
export const clocksDiffer = 30;

/**
 * Creates the client of an OpenID provider, by the authorization code flow with PKCE, `state` and `nonce`. openid-client
 * does what the protocol asks for, with the check of every ID token's signature, which it leaves out unless asked. It is
 * loaded, and the provider called, at the first sign-in.
 */
export function createProvider(
  { issuer, clientId, clientSecret }: IdentityProvider,
  { kind, sites, claims: wantedClaims, offline = false }: ProviderOptions,
  { env, keys, logger, metrics }: ProviderContext,
  db: Database,
) {
  const name = kind === "customer" ? "oidc" : "oidc-staff";
  const outage = createUpstreamHealthLog(name, logger, sites);
  // Browsers bring these errors, and anybody can write one: they don't say that the provider is down.
  const errorAnswers = createHealthLog(logger, {
    down: "sign-ins come back with errors",
    up: "sign-ins come back without errors",
    fields: { upstream: name, ...(sites && { sites }) },
  });
  const fetch = createProviderFetch({ name, metrics, outage, production: env.production });
  const pendingSignIns = createPendingSignIns(keys, kind);
  let known: { configuration: Configuration; until: Milliseconds } | undefined;
  let discovering: Promise<Configuration> | undefined;
  return { issuer, clientId, fetch, configuration, begin, complete, refresh };

  /**
   * Begins a sign-in.
   * @returns the address at the provider, and the value of a Set-Cookie header
   * @throws UnavailableError if the provider's addresses aren't known
   */
  async function begin(caller: Caller, { redirectUri, parameters, target }: SignInRequest) {
    const client = await import("openid-client");
    const found = await configuration();
    const verifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const known = found.serverMetadata().scopes_supported ?? [];
    const url = client.buildAuthorizationUrl(found, {
      redirect_uri: redirectUri,
      // Some providers refuse a scope that they don't know.
      scope: [
        "openid",
        "email",
        "profile",
        ...(offline && known.includes("offline_access") ? ["offline_access"] : []),
      ].join(" "),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...parameters,
    });
    const cookie = await pendingSignIns.add(caller, { state, nonce, verifier, begunAt: Date.now(), target });
    return { url: url.href, cookie };
  }

  /**
   * Ends a sign-in with the answer to which the provider has led the browser. An answer counts once, on all replicas.
   * @param answer - the URL of this service, with the provider's parameters
   * @returns the result, and the value of a Set-Cookie header
   * @throws UnavailableError if the store can't be written
   */
  async function complete(caller: Caller, answer: URL): Promise<{ result: SignedIn | FailedSignIn; cookie: string }> {
    const { pending, cookie } = await pendingSignIns.take(caller, answer.searchParams.get("state"));
    if (!pending) return { result: { status: "lost", reason: "no sign-in of this browser" }, cookie };
    if (await isUsed(pending.state)) return { result: { status: "lost", reason: "used before" }, cookie };
    const client = await import("openid-client");
    try {
      const found = await configuration();
      const tokens = await client.authorizationCodeGrant(found, answer, {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims || tokens.id_token === undefined) throw new TypeError("openid-client has checked no ID token");
      if (isFromFuture(claims)) return { result: { status: "wrongClock", reason: "issued in the future" }, cookie };
      const isComplete = wantedClaims.every((claim) => claim in claims);
      const person = isComplete ? {} : await findUserInfo(found, tokens.access_token, claims.sub);
      errorAnswers.up();
      const { id_token: idToken, refresh_token: refreshToken } = tokens;
      const result = { status: "signedIn" as const, claims: { ...person, ...claims }, idToken, refreshToken };
      return { result: { ...result, target: pending.target }, cookie };
    } catch (error) {
      const failure = signInFailureOf(error);
      const log = error instanceof client.AuthorizationResponseError ? errorAnswers : outage;
      if (failure.status === "unavailable") log.down({ reason: failure.reason });
      return { result: failure, cookie };
    }
  }

  /**
   * Renews the tokens of a session.
   * @param sub - whom the provider has signed in
   * @returns `ended` if the provider says that the refresh token is worth nothing
   * @throws UnavailableError for every other failure
   */
  async function refresh(refreshToken: string, sub: string): Promise<Renewed | { status: "ended" }> {
    const client = await import("openid-client");
    const found = await configuration();
    try {
      const tokens = await client.refreshTokenGrant(found, refreshToken);
      const claims = tokens.claims();
      if (claims && (claims.sub !== sub || isFromFuture(claims)))
        throw unavailable(
          `${claims.sub === sub ? "a renewed ID token is from the future" : "a renewed ID token is another person's"}`,
        );
      return { status: "renewed", idToken: tokens.id_token, refreshToken: tokens.refresh_token };
    } catch (error) {
      if (isInvalidGrant(error)) return { status: "ended" };
      if (error instanceof UnavailableError) throw error;
      throw unavailable(signInFailureOf(error).reason, error);
    }
  }

  /**
   * Returns the provider's discovery document with the settings of this client. If it can't be fetched again, the last
   * one counts.
   */
  async function configuration(): Promise<Configuration> {
    if (known && performance.now() < known.until) return known.configuration;
    discovering ??= discover().finally(() => {
      discovering = undefined;
    });
    try {
      const found = await discovering;
      known = { configuration: found, until: performance.now() + discoveryLifetime };
      return found;
    } catch (error) {
      if (known) return known.configuration;
      throw unavailable(signInFailureOf(error).reason, error);
    }
  }

  async function discover(): Promise<Configuration> {
    const client = await import("openid-client");
    const [byBasic, byPost] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)];
    // Every provider must support the first (RFC 6749, 2.3.1), but not all do.
    const authenticate: ClientAuth = (server, ...rest) => {
      const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
      const isByPost = methods.includes("client_secret_post") && !methods.includes("client_secret_basic");
      return (isByPost ? byPost : byBasic)(server, ...rest);
    };
    return client.discovery(new URL(issuer), clientId, undefined, authenticate, {
      [client.customFetch]: fetch,
      timeout: callDeadline / second,
      // In production, the library refuses addresses without TLS, as our own fetch does.
      execute: [client.enableNonRepudiationChecks, ...(env.production ? [] : [client.allowInsecureRequests])],
    });
  }

  /** Asks userinfo for the claims that the ID token lacks. If userinfo is unavailable, the sign-in goes on without them. */
  async function findUserInfo(found: Configuration, accessToken: string, sub: string) {
    if (found.serverMetadata().userinfo_endpoint === undefined) return {};
    const client = await import("openid-client");
    try {
      return await client.fetchUserInfo(found, accessToken, sub);
    } catch (error) {
      const failure = signInFailureOf(error);
      if (failure.status === "invalid") throw error;
      outage.down({ reason: `userinfo: ${failure.reason}` });
      return {};
    }
  }

  /** Whether an answer with this state has come before, from whichever browser. */
  async function isUsed(state: string): Promise<boolean> {
    const key = `sign-in ${createHash("sha256").update(state).digest("base64url")}`;
    const counts = await addPoints(db, [{ key, period: pendingLifetime }], 1, Date.now()).catch((cause: unknown) => {
      throw new UnavailableError("the database can't be written", { cause });
    });
    return (counts.get(key)?.points ?? 0) > 1;
  }

  /** Logs the outage by its reason, because errors of the library contain parts of answers. */
  function unavailable(reason: string, cause?: unknown): UnavailableError {
    outage.down({ reason, err: cause });
    const error = new UnavailableError(`provider ${name}: ${reason}`);
    markReported(error);
    return error;
  }
}

/** The library accepts any time of issue, unless the token says from when on it is valid. */
function isFromFuture({ iat }: IDToken): boolean {
  return iat > Date.now() / second + clocksDiffer;
}
