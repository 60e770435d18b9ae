/** What the token of a session says of its times, in seconds since the beginning of 1970 in UTC. */
export interface LoginToken {
  /** When the session ends. */
  exp: number;
  /** From then on the token is to be renewed. */
  ren: number;
  /** Whether the visitor stays logged in when the session has ended: the token has a `lid`. */
  longTerm: boolean;
}

/**
 * Reads the payload of a JSON Web Token. The signature isn't verified: the token only tells times, and gives no rights.
 * @returns undefined when the text is no token with `exp` and `ren`
 */
export function parseLoginToken(text: string): LoginToken | undefined {
  const [, payload, signature] = text.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  const { exp, ren, lid } = Object(decode(payload));
  if (!Number.isFinite(exp) || !Number.isFinite(ren)) return undefined;
  return { exp, ren, longTerm: (lid ?? undefined) !== undefined };
}

/**
 * Reads JSON in base64url (https://www.rfc-editor.org/rfc/rfc7515#section-2).
 * @param part - one of the three parts of a token
 * @returns undefined when it is something else
 */
function decode(part: string): unknown {
  try {
    return JSON.parse(atob(part.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return undefined;
  }
}
