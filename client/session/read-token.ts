import { type LoginToken, parseLoginToken } from "../rules/login-token.ts";
import { loginTokenText } from "./login-cookie.ts";

/**
 * Reads the login token that is to be renewed. A cookie that holds anything else counts as none.
 * @param cookie - cookies as `document.cookie` has them
 */
export function readToken(cookie: string): LoginToken | undefined {
  const text = loginTokenText(cookie);
  return text ? parseLoginToken(text) : undefined;
}
