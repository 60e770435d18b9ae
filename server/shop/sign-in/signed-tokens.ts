import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { TokenKeys } from "./token-keys.ts";

const algorithm = "HS256";
/** By how much the clocks of replicas may differ, in seconds. */
const replicasDiffer = 5;

/** JSON Web Tokens of one issuer for one audience. All times in milliseconds since 1970 UTC. */
export interface SignedTokens {
  sign(payload: JWTPayload, typ: string, at: number): Promise<string>;
  /** Undefined when the token isn't one of ours of this type, lacks a required claim, or isn't valid any more. */
  read(token: string | undefined, typ: string, requiredClaims: string[], at: number): Promise<JWTPayload | undefined>;
}

interface SignedTokenOptions {
  issuer: string;
  audience: string;
  /** Longest time that a token is taken, whatever it says, in milliseconds. */
  maxAge: number;
}

/** Signs and checks tokens with the store's keys, all of them by one algorithm and the same rules. */
export function createSignedTokens(keys: TokenKeys, { issuer, audience, maxAge }: SignedTokenOptions): SignedTokens {
  return { sign, read };

  async function sign(payload: JWTPayload, typ: string, at: number): Promise<string> {
    const { id, secret } = await keys.current(at);
    return new SignJWT(payload).setProtectedHeader({ alg: algorithm, typ, kid: id }).sign(secret);
  }

  async function read(token: string | undefined, typ: string, requiredClaims: string[], at: number) {
    if (token === undefined || !hasOneSpelling(token)) return undefined;
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => findKey(kid, at), {
        ...{ algorithms: [algorithm], issuer, audience, typ, requiredClaims },
        maxTokenAge: maxAge / 1000,
        clockTolerance: replicasDiffer,
        currentDate: new Date(at),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  async function findKey(id: string | undefined, at: number): Promise<Uint8Array> {
    const key = await keys.find(id, at);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key.secret;
  }
}

/** Base64url lets the last character differ in bits that mean nothing, and readers overlook spaces. */
function hasOneSpelling(token: string): boolean {
  const signature = token.slice(token.lastIndexOf(".") + 1);
  return Buffer.from(signature, "base64url").toString("base64url") === signature;
}

/** Tokens count in whole seconds. */
export function toSeconds(time: number): number {
  return Math.floor(time / 1000);
}
