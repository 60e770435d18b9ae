import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type FetchImplementation,
  type JWTPayload,
  jwtVerify,
} from "jose";
import type { ServerMetadata } from "openid-client";
import { minute } from "../../client/rules/time.ts";
import { nameOf, UnavailableError } from "../platform/errors.ts";
import { clocksDiffer, type Provider } from "./provider.ts";
import { callDeadline } from "./provider-fetch.ts";

/** A logout at a provider, as a logout token describes it. */
export interface ProviderLogout {
  status: "valid";
  iss: string;
  /** The provider's session that has ended; undefined for all sessions of the person. */
  sid?: string | undefined;
  /** The person; always there without a session. */
  sub?: string | undefined;
  /** The token's own id. */
  jti: string;
  /** When the token expires, in seconds since 1970. */
  exp: number;
}

interface RefusedLogout {
  status: "refused";
  /** A code for the log, which contains nothing of the token. */
  reason: string;
}

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";
/** Not every provider names the kind of this token, but a token of another kind says so. */
const types: readonly unknown[] = [undefined, "JWT", "logout+jwt"];
/** The longest time since a token was issued. Providers let them expire after two minutes. */
const maxAge = "1h";
/** How long keys count until they are fetched again. A key that is unknown is asked for once in half a minute. */
const keysLifetime = 5 * minute;
/** The codes of jose for keys that can't be read. All of its others are about the token. */
const keyFaults = new Set(["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT", "ERR_JWK_INVALID"]);

/** Whether a token claims to be from a provider for a client. Nothing is verified, so that no provider is asked. */
export function isAddressedTo({ issuer, clientId }: Pick<Provider, "issuer" | "clientId">, token: string): boolean {
  try {
    const { iss, aud } = decodeJwt(token);
    return [aud].flat().includes(clientId) && URL.parse(iss ?? "")?.href === new URL(issuer).href;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

/**
 * Creates the check of a provider's logout tokens, by its keys and by the rules of OpenID Connect Back-Channel Logout 1.0,
 * 2.6. openid-client doesn't have it.
 * @returns a function that throws UnavailableError if the provider's keys can't be fetched
 */
export function createLogoutTokenCheck({ clientId, fetch, configuration }: Provider) {
  let keys: { address: string; find: ReturnType<typeof createRemoteJWKSet> } | undefined;
  return async (token: string): Promise<ProviderLogout | RefusedLogout> => {
    const metadata = (await configuration()).serverMetadata();
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keysAt(metadata.jwks_uri), {
        issuer: metadata.issuer,
        audience: clientId,
        algorithms: algorithmsOf(metadata),
        requiredClaims: ["exp"],
        // Refuses a token that is from the future, too.
        maxTokenAge: maxAge,
        clockTolerance: clocksDiffer,
      });
      return types.includes(protectedHeader.typ) ? logoutOf(payload) : refuse("typ");
    } catch (error) {
      if (error instanceof errors.JWTClaimValidationFailed) return refuse(error.claim);
      if (error instanceof errors.JOSEError && !keyFaults.has(error.code)) return refuse(nameOf(error));
      if (error instanceof UnavailableError) throw error;
      throw new UnavailableError(`a provider's keys can't be read: ${nameOf(error)}`);
    }
  };

  function keysAt(address: string | undefined) {
    if (address === undefined) throw new UnavailableError("a provider publishes no keys");
    if (keys?.address !== address) {
      const options = { timeoutDuration: callDeadline, cacheMaxAge: keysLifetime, [customFetch]: fetchKeys };
      keys = { address, find: createRemoteJWKSet(new URL(address), options) };
    }
    return keys.find;
  }

  function fetchKeys(...[url, { method, headers, redirect }]: Parameters<FetchImplementation>): Promise<Response> {
    return fetch(url, { method, headers: Object.fromEntries(headers), redirect, body: undefined });
  }
}

/** Lists what the provider signs tokens by. A signature by the client's secret would prove nothing to the provider's keys. */
function algorithmsOf({ id_token_signing_alg_values_supported: supported = ["RS256"] }: ServerMetadata): string[] {
  return supported.filter((algorithm) => algorithm !== "none" && !algorithm.startsWith("HS"));
}

/** Reads the claims that only logout tokens have. */
function logoutOf({ iss, sub, sid, jti, exp, events, nonce }: JWTPayload): ProviderLogout | RefusedLogout {
  if (!isObject(events) || !isObject(events[logoutEvent])) return refuse("events");
  // ID tokens have one.
  if (nonce !== undefined) return refuse("nonce");
  if (!isText(jti)) return refuse("jti");
  if (sid !== undefined && !isText(sid)) return refuse("sid");
  if (!isText(sub) && (sub !== undefined || sid === undefined)) return refuse("sub");
  if (iss === undefined || exp === undefined) throw new TypeError("jose has checked neither issuer nor time");
  return { status: "valid", iss, sid, sub, jti, exp };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function refuse(reason: string): RefusedLogout {
  return { status: "refused", reason };
}
