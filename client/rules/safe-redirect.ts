/** The cookie with the redirect target after the login. */
export const redirectCookie = "LoginRedirect";

const home = "/";
const maxLength = 1_000;

/**
 * A path on the same host. Two slashes would start a host name. Browsers read a backslash as a slash, and skip tabs and
 * line breaks.
 */
const path = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/**
 * Returns the redirect target after the login if it is a path of the same site other than the current address,
 * otherwise the home page.
 * @param target - from a link or a cookie, not trusted
 * @param current - the URL of the page
 * @returns a path with query and fragment
 */
export function safeRedirect(target: unknown, current: URL): string {
  if (typeof target !== "string" || target.length > maxLength || !path.test(target)) return home;
  const { origin, pathname, search, hash } = new URL(target, current.origin);
  const leaves = origin !== current.origin || pathname.startsWith("//");
  const isCurrent = pathname === current.pathname && search === current.search;
  return leaves || isCurrent ? home : pathname + search + hash;
}
