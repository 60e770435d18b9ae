import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { type Milliseconds, type Moment, second } from "../../../client/rules/time.ts";
import type { TokenKeys } from "./token-keys.ts";

const algorithm = "HS256";
/** By how much the clocks of replicas may differ, in seconds. */
const replicasDiffer = 5;

/** Signs and reads JSON Web Tokens of one issuer for one audience. */
export interface SignedTokens {
  sign(payload: JWTPayload, typ: string, at: Moment): Promise<string>;
  /**
   * Reads a token; undefined when it isn't one of ours of this type, lacks a required claim, or isn't valid any more.
   */
  read(token: string | undefined, typ: string, requiredClaims: string[], at: Moment): Promise<JWTPayload | undefined>;
}

interface SignedTokenOptions {
  issuer: string;
  audience: string;
  /** How long after its signing a token is accepted at most, whatever it says. */
  maxAge: Milliseconds;
}

/** Creates what signs and reads tokens with the store's keys, all of them by one algorithm and the same rules. */
export function createSignedTokens(keys: TokenKeys, { issuer, audience, maxAge }: SignedTokenOptions): SignedTokens {
  return { sign, read };

  async function sign(payload: JWTPayload, typ: string, at: Moment): Promise<string> {
    const { id, secret } = await keys.current(at);
    return new SignJWT(payload).setProtectedHeader({ alg: algorithm, typ, kid: id }).sign(secret);
  }

  async function read(token: string | undefined, typ: string, requiredClaims: string[], at: Moment) {
    if (token === undefined || !hasOneSpelling(token)) return undefined;
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => findKey(kid, at), {
        algorithms: [algorithm],
        issuer,
        audience,
        typ,
        requiredClaims,
        maxTokenAge: maxAge / second,
        clockTolerance: replicasDiffer,
        currentDate: new Date(at),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  async function findKey(id: unknown, at: Moment): Promise<Uint8Array> {
    const key = await keys.find(id, at);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key.secret;
  }
}

/**
 * Tells whether a token is written in the only way that is accepted. Readers of Base64url overlook spaces, and bits of
 * the last character that mean nothing (test/server/shop/login/tokens.test.ts).
 */
function hasOneSpelling(token: string): boolean {
  const signature = token.slice(token.lastIndexOf(".") + 1);
  return Buffer.from(signature, "base64url").toString("base64url") === signature;
}

/** Writes a moment as tokens do: in whole seconds since the beginning of 1970. */
export function toSeconds(time: Moment): number {
  return Math.floor(time / second);
}
