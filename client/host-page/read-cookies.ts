/**
 * Reads cookies.
 * @param cookie - cookies as `document.cookie` has them
 * @returns values by name
 */
export function readCookies(cookie: string): Record<string, string> {
  const pairs = cookie.split(";").map((pair) => pair.trim().split(/=(.*)/s));
  return Object.fromEntries(pairs.map(([name = "", value = ""]) => [name, value]));
}
