import { readCookies } from "../host-page/read-cookies.ts";

/**
 * Finds the text of the login token that is to be renewed. Smartphones and tablets give none: something else renews
 * theirs.
 * @param cookie - cookies as `document.cookie` has them
 */
export function loginTokenText(cookie: string): string | undefined {
  const { LoginToken, platform } = readCookies(cookie);
  return platform === "smartphone" || platform === "tablet" ? undefined : LoginToken;
}
