import { readCookies } from "../../host-page/read-cookies.ts";
import { type LoginToken, parseLoginToken } from "../../rules/login-token.ts";

/**
 * Returns the text of the login token, valid or not. Undefined on smartphones and tablets, whose token isn't renewed
 * here.
 * @param cookie - cookies in the format of `document.cookie`
 */
export function loginTokenText(cookie: string): string | undefined {
  const { LoginToken, platform } = readCookies(cookie);
  return platform === "smartphone" || platform === "tablet" ? undefined : LoginToken;
}

/** The last reported invalid token. The same cookie is read every few seconds, so it is reported once. */
let reported: string | undefined;

/** Reads the login token to be renewed. An invalid token is reported once and counts as none. */
export function readToken(cookie: string): LoginToken | undefined {
  const text = loginTokenText(cookie);
  if (!text) return undefined;
  try {
    return parseLoginToken(text);
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: for the developer of the login service, in the browser
    if (text !== reported) console.error(error);
    reported = text;
    return undefined;
  }
}
