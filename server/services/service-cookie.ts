import { stringifySetCookie } from "cookie";
import type { Request } from "express";

interface CookieOptions {
  /** Whether browsers send it by https alone. */
  secure: boolean;
  /** How long the browser keeps it, in seconds; undefined keeps it until it is closed. */
  lifetime?: number | undefined;
  /** Whether scripts can't read it. */
  httpOnly?: boolean;
}

/**
 * Reads a cookie; undefined when it is missing or empty, or looks like JSON, which the parser has made an object of
 * (test/server/shop/login/login-routes.test.ts).
 */
export function readCookie({ cookies }: Pick<Request, "cookies">, name: string): string | undefined {
  const value: unknown = cookies[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Writes a cookie for all pages of the site.
 * @param value - null removes the cookie from the browser
 * @returns the value of a Set-Cookie header
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
