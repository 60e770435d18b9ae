import { parseLoginToken } from "./login-token.ts";

/**
 * Tells whether a login token says that a session goes on.
 * @param cookie - the value of the token's cookie, whatever it is
 */
export function isSignedIn(cookie: unknown): boolean {
  const token = typeof cookie === "string" ? parseLoginToken(cookie) : undefined;
  return token !== undefined && token.exp > Date.now() / 1000;
}
