import { stringifyCookie, stringifySetCookie } from "cookie";
import type { Request } from "express";

/** The sender of a request, and what the browser has sent. */
export type Caller = Pick<Request, "cookies" | "host" | "ip" | "secure">;

interface CookieOptions {
  /** Whether browsers send it over https only. */
  secure: boolean;
  /** Max-Age in seconds; undefined makes a session cookie. */
  lifetime?: number | undefined;
  httpOnly?: boolean;
}

/** Reads a cookie; undefined if it is missing or empty, or JSON, which cookie-parser turns into an object. */
export function readCookie({ cookies }: Pick<Caller, "cookies">, name: string): string | undefined {
  const value: unknown = cookies[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the value of a Cookie header with some of a request's cookies. */
export function cookieHeader(request: Pick<Caller, "cookies">, names: readonly string[]): string {
  return stringifyCookie(Object.fromEntries(names.map((name) => [name, readCookie(request, name)])));
}

/**
 * Returns the value of a Set-Cookie header for all pages of the site.
 * @param value - null removes the cookie
 */
export function writeCookie(
  name: string,
  value: string | null,
  { secure, lifetime, httpOnly = true }: CookieOptions,
): string {
  const common = { name, path: "/", sameSite: "lax", secure, httpOnly } as const;
  if (value === null) return stringifySetCookie({ ...common, value: "", maxAge: 0, expires: new Date(0) });
  return stringifySetCookie({ ...common, value, ...(lifetime !== undefined && { maxAge: lifetime }) });
}
