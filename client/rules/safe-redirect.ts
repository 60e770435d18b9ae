/** Of the cookie that keeps where to go after login. */
export const redirectCookie = "LoginRedirect";

const home = "/";
const maxLength = 1_000;

/** One slash starts a path, two a host; browsers take a backslash for a slash, and leave out tabs and line breaks. */
const path = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/**
 * Where to go after login: a path of the same site that isn't the current address, else the home page.
 * @param target - whatever a link or a cookie says
 * @param current - address of the page
 * @returns a path with its query and fragment
 */
export function safeRedirect(target: unknown, current: URL): string {
  if (typeof target !== "string" || target.length > maxLength || !path.test(target)) return home;
  const { origin, pathname, search, hash } = new URL(target, current.origin);
  const leaves = origin !== current.origin || pathname.startsWith("//");
  const isCurrent = pathname === current.pathname && search === current.search;
  return leaves || isCurrent ? home : pathname + search + hash;
}
