import { readCookies } from "../../host-page/read-cookies.ts";
import { type LoginToken, parseLoginToken } from "../../rules/login-token.ts";

/**
 * Returns the text of the login token, valid or not; undefined on smartphones and tablets, whose token isn't renewed here.
 * @param cookie - cookies in the format of `document.cookie`
 */
export function loginTokenText(cookie: string): string | undefined {
  const { LoginToken, platform } = readCookies(cookie);
  return platform === "smartphone" || platform === "tablet" ? undefined : LoginToken;
}

/** Reads the login token to be renewed. A cookie that holds anything else counts as none. */
export function readToken(cookie: string): LoginToken | undefined {
  const text = loginTokenText(cookie);
  return text ? parseLoginToken(text) : undefined;
}
