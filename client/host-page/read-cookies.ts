/**
 * Reads cookies.
 * @param cookie - cookies as `document.cookie` has them
 * @returns values by name
 */
export function readCookies(cookie: string): Record<string, string> {
  return Object.fromEntries(cookie.split(/; */).map((pair) => pair.split(/=(.*)/s)));
}
