import { InvalidLoginTokenError, type LoginToken, parseLoginToken } from "../rules/login-token.ts";
import { loginTokenText } from "./login-cookie.ts";

/**
 * The token that is to be kept up. A cookie that holds something else counts as none.
 * @param cookie - as in `document.cookie`
 */
export function readToken(cookie: string): LoginToken | undefined {
  const text = loginTokenText(cookie);
  try {
    return text ? parseLoginToken(text) : undefined;
  } catch (error) {
    if (error instanceof InvalidLoginTokenError) return undefined;
    throw error;
  }
}
