/** Name of the cookie that keeps where the visitor goes after the login. */
export const redirectCookie = "LoginRedirect";

const home = "/";
const maxLength = 1_000;

/**
 * A path on the same host. Two slashes would start a host; browsers read a backslash as a slash, and leave out tabs and
 * line breaks.
 */
const path = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/**
 * Tells where the visitor goes after the login: to the target if it is a path of the same site and not the current
 * address, else to the home page.
 * @param target - whatever a link or a cookie says
 * @param current - the address of the page
 * @returns a path with its query and its fragment
 */
export function safeRedirect(target: unknown, current: URL): string {
  if (typeof target !== "string" || target.length > maxLength || !path.test(target)) return home;
  const { origin, pathname, search, hash } = new URL(target, current.origin);
  const leaves = origin !== current.origin || pathname.startsWith("//");
  const isCurrent = pathname === current.pathname && search === current.search;
  return leaves || isCurrent ? home : pathname + search + hash;
}
