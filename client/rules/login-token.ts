/** The times of a session, in seconds since 1970 in UTC. */
export interface LoginToken {
  /** When the session ends. */
  exp: number;
  /** When the token is due for renewal. */
  ren: number;
  /** Whether the visitor stays logged in after the session: the token has a `lid`. */
  longTerm: boolean;
}

/**
 * Reads the payload of a JSON Web Token. The signature isn't verified, because the token grants no rights.
 * @returns undefined if the text is no token with `exp` and `ren`
 */
export function parseLoginToken(text: string): LoginToken | undefined {
  const [, payload, signature] = text.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  const { exp, ren, lid } = Object(decode(payload));
  if (!Number.isFinite(exp) || !Number.isFinite(ren)) return undefined;
  return { exp, ren, longTerm: (lid ?? undefined) !== undefined };
}

/**
 * Decodes JSON in base64url (https://www.rfc-editor.org/rfc/rfc7515#section-2).
 * @returns undefined if it is something else
 */
function decode(part: string): unknown {
  try {
    return JSON.parse(atob(part.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return undefined;
  }
}

/**
 * Whether a login token is unexpired.
 * @param cookie - the value of the token's cookie
 */
export function isSignedIn(cookie: unknown): boolean {
  const token = typeof cookie === "string" ? parseLoginToken(cookie) : undefined;
  return token !== undefined && token.exp > Date.now() / 1000;
}
