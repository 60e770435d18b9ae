import { readCookies } from "../host-page/read-cookies.ts";

/**
 * The text of the token that is to be kept up, if there is one. Smartphones and tablets have none: their renewal is
 * left to others.
 * @param cookie - as in `document.cookie`
 */
export function loginTokenText(cookie: string): string | undefined {
  const { LoginToken, platform } = readCookies(cookie);
  return platform === "smartphone" || platform === "tablet" ? undefined : LoginToken;
}
