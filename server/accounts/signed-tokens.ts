import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { type Milliseconds, type Moment, second } from "../../client/rules/time.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";

const algorithm = "HS256";
/** By how much the clocks of replicas may differ, in seconds. */
const replicasDiffer = 5;

interface SignedTokenOptions {
  issuer: string;
  audience: string;
  /** How long after its signing a token is accepted at most, whatever it says. */
  maxAge: Milliseconds;
}

/**
 * Signs and reads the JSON Web Tokens of one issuer for one audience, which has its own key. `typ` keeps tokens of
 * different purposes apart.
 */
export function createSignedTokens(keys: SecretKeys, { issuer, audience, maxAge }: SignedTokenOptions) {
  const purpose = `tokens for ${audience}`;
  const [signing, verifying] = [keys.signing(purpose), keys.verifying(purpose)];
  return {
    /** Signs a token that is valid until a moment. */
    issue: (typ: string, claims: JWTPayload, until: Moment) =>
      sign(typ, { ...claims, iss: issuer, aud: audience, iat: toSeconds(Date.now()), exp: toSeconds(until) }),

    sign,

    /** Reads a token; undefined when it isn't one of ours of this type, or isn't valid any more. */
    async read(typ: string, token: string | undefined): Promise<JWTPayload | undefined> {
      if (token === undefined || !hasOneSpelling(token)) return undefined;
      for (const key of verifying) {
        try {
          const { payload } = await jwtVerify(token, key, {
            algorithms: [algorithm],
            issuer,
            audience,
            typ,
            requiredClaims: ["exp", "iat"],
            maxTokenAge: maxAge / second,
            clockTolerance: replicasDiffer,
          });
          return payload;
        } catch (error) {
          if (!(error instanceof errors.JOSEError)) throw error;
          // Another key may have signed it.
          if (!(error instanceof errors.JWSSignatureVerificationFailed)) return undefined;
        }
      }
      return undefined;
    },
  };

  /** Signs exactly these claims. */
  function sign(typ: string, claims: JWTPayload): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ }).sign(signing);
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
