import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { type Moment, second } from "../../client/rules/time.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";

const algorithm = "HS256";
/** How far the clocks of replicas may differ, in seconds. */
const replicasDiffer = 5;

/**
 * Signs and reads the JSON Web Tokens for one audience, which has its own key. `typ` keeps tokens of different purposes
 * apart.
 */
export function createSignedTokens(keys: SecretKeys, audience: string) {
  const purpose = `tokens for ${audience}`;
  const [signing, verifying] = [keys.signing(purpose), keys.verifying(purpose)];
  return {
    /** Signs a token that is valid until a moment. */
    issue: (typ: string, claims: JWTPayload, until: Moment) =>
      sign(typ, { ...claims, aud: audience, iat: toSeconds(Date.now()), exp: toSeconds(until) }),

    sign,

    /** Reads the claims of a token; undefined if it isn't a valid token of this service and type. */
    async read<Claims>(typ: string, token: string | undefined): Promise<Claims | undefined> {
      if (token === undefined) return undefined;
      for (const key of verifying) {
        try {
          const { payload } = await jwtVerify<Claims>(token, key, {
            algorithms: [algorithm],
            audience,
            typ,
            requiredClaims: ["exp"],
            clockTolerance: replicasDiffer,
          });
          return payload;
        } catch (error) {
          if (!(error instanceof errors.JOSEError)) throw error;
          // Another key may have signed the token.
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

/** Converts a moment to the time of tokens: whole seconds since 1970. */
export function toSeconds(time: Moment): number {
  return Math.floor(time / second);
}
