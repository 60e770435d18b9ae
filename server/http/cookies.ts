import type { IncomingMessage } from "node:http";
import { parseCookie, stringifyCookie, stringifySetCookie } from "cookie";
import { JSONCookies } from "cookie-parser";
import type { Request } from "express";

/** The sender of a request, and the data that the browser has sent. */
export type Caller = Pick<Request, "cookies" | "host" | "ip" | "secure">;

interface CookieOptions {
  /** Whether browsers send it only over https. */
  secure: boolean;
  /** Max-Age in seconds; undefined makes a session cookie. */
  lifetime?: number | undefined;
  httpOnly?: boolean;
}

/** Parses the cookies of a request before Express. cookie-parser then doesn't parse them again. */
export function parseCookies(request: IncomingMessage): Request["cookies"] {
  const given = Object.entries(parseCookie(request.headers.cookie ?? ""));
  const cookies = JSONCookies(Object.fromEntries(given.map(([name, value = ""]) => [name, value])));
  Object.assign(request, { cookies });
  return cookies;
}

/** Reads a cookie. Undefined if it is missing or empty, or if it is JSON, which cookie-parser turns into an object. */
export function readCookie({ cookies }: Pick<Caller, "cookies">, name: string): string | undefined {
  const value: unknown = cookies[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the value of a Cookie header with selected cookies of a request. */
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

/** The cookies that identify staff and their preview. */
export const staffCookieNames = ["StaffAuthToken", "CobraAuthToken", "PreviewContext"] as const;

/** All cookies of the preview service. Scripts recognize staff by `preview`. */
export const ownStaffCookies = [...staffCookieNames, "preview"] as const;

/** Whether a request has the cookie of a preview. */
export function mayPreview(request: Pick<Caller, "cookies">): boolean {
  return readCookie(request, "PreviewContext") !== undefined;
}

/**
 * Writes some of the cookies.
 * @param values - the value of each cookie; null removes it
 * @param lifetime - how long the browser keeps them, in seconds
 * @returns values of Set-Cookie headers
 */
export function writeStaffCookies(
  values: Partial<Record<(typeof ownStaffCookies)[number], string | null>>,
  { secure }: Pick<Caller, "secure">,
  lifetime?: number,
): string[] {
  return Object.entries(values).map(([name, value]) =>
    writeCookie(name, value, { secure, lifetime, httpOnly: name !== "preview" }),
  );
}

/**
 * Removes all cookies of the preview service.
 * @returns values of Set-Cookie headers
 */
export function removeStaffCookies(caller: Caller): string[] {
  return writeStaffCookies({ StaffAuthToken: null, CobraAuthToken: null, PreviewContext: null, preview: null }, caller);
}
