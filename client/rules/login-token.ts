/** What the session's clock says, in seconds since 1970. */
export interface LoginToken {
  /** When the session ends. */
  exp: number;
  /** From when on it wants to be renewed. */
  ren: number;
  /** Whether the visitor stays logged in beyond it: the token has a `lid`. */
  longTerm: boolean;
}

/** A login token's text is no token. Stays inside: who reads it takes the visitor for one without. */
export class InvalidLoginTokenError extends Error {}

/**
 * Reads the payload of a JSON Web Token; nobody but its issuer needs to verify it, as it opens no door.
 * @throws InvalidLoginTokenError when the text is no token with `exp` and `ren`
 */
export function parseLoginToken(text: string): LoginToken {
  const [, payload, signature] = text.split(".");
  if (payload === undefined || signature === undefined) throw new InvalidLoginTokenError("not three parts");
  const { exp, ren, lid } = Object(decode(payload));
  if (!Number.isFinite(exp) || !Number.isFinite(ren)) throw new InvalidLoginTokenError("exp or ren is no number");
  return { exp, ren, longTerm: (lid ?? undefined) !== undefined };
}

/** @param part - of a token: JSON in base64url (https://www.rfc-editor.org/rfc/rfc7515#section-2) */
function decode(part: string): unknown {
  try {
    return JSON.parse(atob(part.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    throw new InvalidLoginTokenError("no JSON in base64url");
  }
}
