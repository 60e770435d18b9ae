import type { Logger } from "../platform/logger.ts";

/** Returns the cookies of an answer that the browser gets, as values of Set-Cookie headers. */
export type CookieFilter = (cookies: string | string[] | undefined) => string[];

/**
 * Creates the filter of the cookies that a real service sets. The browser gets only the service's own cookies, for all
 * pages of this host: `Domain` is removed, and `Path` becomes `/`, so that there is only one cookie of a name. The
 * first dropped or changed cookie of each kind is logged.
 * @param upstream - the service's name in the log
 * @param names - the service's own cookies
 */
export function createCookieFilter(upstream: string, names: readonly string[], logger: Logger): CookieFilter {
  const logged = new Set<string>();
  return (cookies = []) => [cookies].flat().flatMap((cookie) => filter(cookie) ?? []);

  function filter(cookie: string): string | undefined {
    const name = cookieName(cookie);
    if (!names.includes(name)) {
      warn(name === "" ? "it has no name" : "the service may not set it", name);
      return undefined;
    }
    const [pair = "", ...attributes] = cookie.split(";");
    const kept = attributes.filter((attribute) => !/^\s*domain\s*(=|$)/i.test(attribute));
    if (kept.length < attributes.length) warn("Domain is removed", name);
    const isPath = (attribute: string) => /^\s*path\s*(=|$)/i.test(attribute);
    const isForAll = (attribute: string) => /^\s*path\s*=\s*\/\s*$/i.test(attribute);
    if (kept.filter(isPath).every(isForAll)) return [pair, ...kept].join(";");
    warn("Path becomes /", name);
    return [pair, ...kept.filter((attribute) => !isPath(attribute)), " Path=/"].join(";");
  }

  function warn(reason: string, cookie: string): void {
    if (logged.has(reason)) return;
    logged.add(reason);
    logger.warn({ upstream, cookie, reason }, "cookie of an upstream dropped or changed");
  }
}

/**
 * Returns the name of a cookie as browsers read it. Without "=", everything is the value of a cookie without a name.
 * https://www.rfc-editor.org/rfc/rfc6265#section-5.2
 * @param cookie - such as `login=x; Path=/`
 */
export function cookieName(cookie: string): string {
  const [pair = ""] = cookie.split(";", 1);
  return pair.slice(0, Math.max(0, pair.indexOf("="))).trim();
}
