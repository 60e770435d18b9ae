import { randomUUID } from "node:crypto";
import type { JWTPayload } from "jose";
import type { Moment } from "../../../client/rules/time.ts";
import type { Credentials } from "../../services/login-service.ts";
import { createSignedTokens, toSeconds } from "../sign-in/signed-tokens.ts";
import type { TokenKeys } from "../sign-in/token-keys.ts";
import { type Claims, type LoginSession, maxTokenAge } from "./sessions.ts";

const issuer = "storefront-login";
const audience = "storefront";
const loginType = "login+jwt";
const longtermType = "longterm+jwt";
const clockType = "login-clock+jwt";
const requiredClaims = ["exp", "iat", "sub", "jti", "sid", "gen"];

/** Signs and reads the credentials of a session, and signs its clock for scripts. */
export interface Tokens {
  signLogin(session: LoginSession, at: Moment): Promise<string>;
  signLongterm(session: LoginSession, at: Moment): Promise<string>;
  /** Signs a token that says when the session ends, when it is to be renewed, and whether it is a long one. */
  signClock(session: LoginSession, at: Moment, renewAt: Moment): Promise<string>;
  /** Reads a credential; undefined when it isn't one of ours, or not any more. */
  readLogin(token: string | undefined, at: Moment): Promise<Claims | undefined>;
  readLongterm(token: string | undefined, at: Moment): Promise<Claims | undefined>;
}

export function createTokens(keys: TokenKeys): Tokens {
  const { sign, read: readPayload } = createSignedTokens(keys, { issuer, audience, maxAge: maxTokenAge });
  return {
    signLogin: (session, at) => signCredential(session, loginType, at),
    signLongterm: (session, at) => signCredential(session, longtermType, at),
    signClock: ({ id, stay, expiresAt }, at, renewAt) =>
      sign({ exp: toSeconds(expiresAt), ren: toSeconds(renewAt), ...(stay === 1 && { lid: id }) }, clockType, at),
    readLogin: (token, at) => read(token, loginType, at),
    readLongterm: (token, at) => read(token, longtermType, at),
  };

  function signCredential(session: LoginSession, typ: string, at: Moment): Promise<string> {
    const payload = {
      iss: issuer,
      aud: audience,
      sub: session.accountId,
      sid: session.id,
      gen: session.generation,
      jti: randomUUID(),
      iat: toSeconds(at),
      exp: toSeconds(session.expiresAt),
    };
    return sign(payload, typ, at);
  }

  async function read(token: string | undefined, typ: string, at: Moment): Promise<Claims | undefined> {
    const payload = await readPayload(token, typ, requiredClaims, at);
    return payload && claimsOf(payload);
  }
}

/** Reads the credential that a browser has: the long-term token, else the one that every session has. */
export async function readCredentials(tokens: Tokens, { login, longterm }: Credentials, at: Moment) {
  return (await tokens.readLongterm(longterm, at)) ?? (await tokens.readLogin(login, at));
}

/** Reads all credentials that a browser has, to the session of each; undefined for one that isn't good. */
export async function readLoginSessions(tokens: Tokens, { login, longterm }: Credentials, at: Moment) {
  const claims = [await tokens.readLogin(login, at), await tokens.readLongterm(longterm, at)];
  return claims.map((claim) => claim?.session);
}

function claimsOf({ sid, sub, gen }: JWTPayload): Claims | undefined {
  const known = typeof sid === "string" && typeof sub === "string" && typeof gen === "number";
  return known ? { session: sid, account: sub, generation: gen } : undefined;
}
