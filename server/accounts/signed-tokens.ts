import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { type Milliseconds, type Moment, second } from "../../client/rules/time.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";

const algorithm = "HS256";
/** By how much the clocks of replicas may differ, in seconds. */
const replicasDiffer = 5;

/** Signs and reads JSON Web Tokens of one issuer for one audience. */
interface SignedTokens {
  sign(payload: JWTPayload, typ: string): Promise<string>;
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

/** Signs and reads all tokens by one algorithm and the same rules. Each audience has its own key. */
export function createSignedTokens(keys: SecretKeys, { issuer, audience, maxAge }: SignedTokenOptions): SignedTokens {
  const purpose = `tokens for ${audience}`;
  const [signing, verifying] = [keys.signing(purpose), keys.verifying(purpose)];
  return { sign, read };

  function sign(payload: JWTPayload, typ: string): Promise<string> {
    return new SignJWT(payload).setProtectedHeader({ alg: algorithm, typ }).sign(signing);
  }

  async function read(token: string | undefined, typ: string, requiredClaims: string[], at: Moment) {
    if (token === undefined || !hasOneSpelling(token)) return undefined;
    for (const key of verifying) {
      try {
        const { payload } = await jwtVerify(token, key, {
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
        if (!(error instanceof errors.JOSEError)) throw error;
        // Another key may have signed it.
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) return undefined;
      }
    }
    return undefined;
  }
}

/**
 * Tells whether a token is written in the only way that is accepted. Readers of Base64url overlook spaces, and bits of
 * the last character that mean nothing.
 */
function hasOneSpelling(token: string): boolean {
  const signature = token.slice(token.lastIndexOf(".") + 1);
  return Buffer.from(signature, "base64url").toString("base64url") === signature;
}

/** Writes a moment as tokens do: in whole seconds since the beginning of 1970. */
export function toSeconds(time: Moment): number {
  return Math.floor(time / second);
}
