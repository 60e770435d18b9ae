import { randomUUID } from "node:crypto";
import type { JWTPayload } from "jose";
import type { Moment } from "../../../../client/rules/time.ts";
import { longSessionLimits, type Session } from "../../../accounts/sessions.ts";
import { createSignedTokens, toSeconds } from "../../../accounts/signed-tokens.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";

const issuer = "storefront-login";
const audience = "storefront";
const loginType = "login+jwt";
const longtermType = "longterm+jwt";
const clockType = "login-clock+jwt";
const requiredClaims = ["exp", "iat", "sub", "jti", "sid", "gen"];

/** The claims of a credential. */
export interface Claims {
  /** Id of the session. */
  session: string;
  /** Id of the account. */
  account: string;
  /** How many earlier credentials of the session were used up. */
  generation: number;
}

/**
 * Creates the tokens of customers' sessions: two credentials, and the clock that scripts read. The readers return
 * undefined for a token that is invalid or has expired.
 */
export function createTokens(keys: SecretKeys) {
  const { sign, read: readPayload } = createSignedTokens(keys, { issuer, audience, maxAge: longSessionLimits.idle });
  return {
    signLogin: (session: Session, at: Moment) => signCredential(session, loginType, at),
    signLongterm: (session: Session, at: Moment) => signCredential(session, longtermType, at),
    /** Signs a token that says when the session ends, when to renew it, and by `lid` that it is a long one. */
    signClock: ({ id, stay, expiresAt }: Session, renewAt: Moment) =>
      sign({ exp: toSeconds(expiresAt), ren: toSeconds(renewAt), ...(stay === 1 && { lid: id }) }, clockType),
    readLogin: (token: string | undefined, at: Moment) => read(token, loginType, at),
    readLongterm: (token: string | undefined, at: Moment) => read(token, longtermType, at),
  };

  function signCredential(session: Session, typ: string, at: Moment): Promise<string> {
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
    return sign(payload, typ);
  }

  async function read(token: string | undefined, typ: string, at: Moment): Promise<Claims | undefined> {
    const payload = await readPayload(token, typ, requiredClaims, at);
    return payload && claimsOf(payload);
  }
}

function claimsOf({ sid, sub, gen }: JWTPayload): Claims | undefined {
  const known = typeof sid === "string" && typeof sub === "string" && typeof gen === "number";
  return known ? { session: sid, account: sub, generation: gen } : undefined;
}
