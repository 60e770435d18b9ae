import { stringifySetCookie } from "cookie";
import type { Request } from "express";

interface CookieOptions {
  /** Whether the browser is connected by https. */
  secure: boolean;
  /** When it is to be forgotten, in seconds from now; undefined when the browser is closed. */
  lifetime?: number | undefined;
  /** Whether scripts can't read it. */
  httpOnly?: boolean;
}

/** Reads a cookie. An empty one is none, and so is what the parser has made an object of, as it looks like JSON. */
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
