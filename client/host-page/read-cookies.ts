/**
 * Reads cookies.
 * @param cookie - in the format of `document.cookie`
 * @returns values by name
 */
export function readCookies(cookie: string): Record<string, string> {
  return Object.fromEntries(cookie.split(/; */).map((pair) => pair.split(/=(.*)/s)));
}
