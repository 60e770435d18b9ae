/** The times of a session, in seconds since 1970 in UTC. */
export interface LoginToken {
  /** When the session ends. */
  exp: number;
  /** When the token is due for renewal. */
  ren: number;
  /** Whether the visitor stays logged in after the session, which the `lid` of the token shows. */
  longTerm: boolean;
}

/** The text of a login token can't be read. Visitors with such a cookie count as signed out. */
export class InvalidTokenError extends Error {
  override name = "InvalidTokenError";
}

/**
 * Reads the payload of a JSON Web Token. The signature isn't verified, because the token grants no rights.
 * @throws InvalidTokenError if the text isn't a token with `exp` and `ren`
 */
export function parseLoginToken(text: string): LoginToken {
  const [, payload = "", signature] = text.split(".");
  const { exp, ren, lid } = Object(decode(payload));
  if (signature === undefined || !Number.isFinite(exp) || !Number.isFinite(ren))
    throw new InvalidTokenError("the cookie LoginToken holds no token");
  return { exp, ren, longTerm: (lid ?? undefined) !== undefined };
}

/**
 * Decodes JSON in base64url (https://www.rfc-editor.org/rfc/rfc7515#section-2).
 * @returns undefined if the text is invalid
 */
function decode(part: string): unknown {
  try {
    return JSON.parse(atob(part.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return undefined;
  }
}

/**
 * Whether a login token hasn't expired.
 * @param cookie - the value of the token's cookie
 */
export function isSignedIn(cookie: unknown): boolean {
  try {
    return typeof cookie === "string" && parseLoginToken(cookie).exp > Date.now() / 1000;
  } catch {
    return false;
  }
}
