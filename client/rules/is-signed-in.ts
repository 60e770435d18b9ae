import { InvalidLoginTokenError, parseLoginToken } from "./login-token.ts";

/**
 * Tells whether a login token says that a session goes on.
 * @param token - the cookie's value, whatever it is
 */
export function isSignedIn(token: unknown): boolean {
  if (typeof token !== "string") return false;
  try {
    return parseLoginToken(token).exp > Date.now() / 1000;
  } catch (error) {
    if (error instanceof InvalidLoginTokenError) return false;
    throw error;
  }
}
