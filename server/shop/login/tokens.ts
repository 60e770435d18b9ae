import { randomUUID } from "node:crypto";
import type { JWTPayload } from "jose";
import type { Credentials } from "../../services/login-service.ts";
import { createSignedTokens, toSeconds } from "../sign-in/signed-tokens.ts";
import type { TokenKeys } from "../sign-in/token-keys.ts";
import { maxTokenAge, type Session } from "./sessions.ts";

const issuer = "storefront-login";
const audience = "storefront";
const loginType = "login+jwt";
const longtermType = "longterm+jwt";
const clockType = "login-clock+jwt";
const requiredClaims = ["exp", "iat", "sub", "jti", "sid", "gen"];

/** What a credential says: whose session it is of, and how many such were used up before. */
export interface Claims {
  session: string;
  account: string;
  generation: number;
}

/** The credentials of a session, and its clock for scripts. All times in milliseconds since 1970 UTC. */
export interface Tokens {
  signLogin(session: Session, at: number): Promise<string>;
  signLongterm(session: Session, at: number): Promise<string>;
  /** Holds nothing but when the session ends, when it is to be renewed, and what says that it is a long one. */
  signClock(session: Session, at: number, renewAt: number): Promise<string>;
  /** Undefined when the token isn't one of ours, or not any more. */
  readLogin(token: string | undefined, at: number): Promise<Claims | undefined>;
  readLongterm(token: string | undefined, at: number): Promise<Claims | undefined>;
}

export function createTokens(keys: TokenKeys): Tokens {
  const { sign, read: readPayload } = createSignedTokens(keys, { issuer, audience, maxAge: maxTokenAge });
  return {
    signLogin: (session, at) => signCredential(session, loginType, at),
    signLongterm: (session, at) => signCredential(session, longtermType, at),
    signClock: ({ id, stay, expiresAt }, at, renewAt) =>
      sign({ exp: toSeconds(expiresAt), ren: toSeconds(renewAt), ...(stay && { lid: id }) }, clockType, at),
    readLogin: (token, at) => read(token, loginType, at),
    readLongterm: (token, at) => read(token, longtermType, at),
  };

  function signCredential(session: Session, typ: string, at: number): Promise<string> {
    const payload = {
      ...{ iss: issuer, aud: audience, sub: session.accountId, sid: session.id, gen: session.generation },
      ...{ jti: randomUUID(), iat: toSeconds(at), exp: toSeconds(session.expiresAt) },
    };
    return sign(payload, typ, at);
  }

  async function read(token: string | undefined, typ: string, at: number): Promise<Claims | undefined> {
    const payload = await readPayload(token, typ, requiredClaims, at);
    return payload && claimsOf(payload);
  }
}

/** Reads what a browser has: the long-term token, else the credential that every session has. */
export async function readCredentials(tokens: Tokens, { login, longterm }: Credentials, at: number) {
  return (await tokens.readLongterm(longterm, at)) ?? (await tokens.readLogin(login, at));
}

function claimsOf({ sid, sub, gen }: JWTPayload): Claims | undefined {
  const known = typeof sid === "string" && typeof sub === "string" && typeof gen === "number";
  return known ? { session: sid, account: sub, generation: gen } : undefined;
}
