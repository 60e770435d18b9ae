import { stringifyCookie } from "cookie";
import type { Request } from "express";
import { originalAddress } from "../http/original-address.ts";
import type { Credentials, LoginCaller } from "./login-service.ts";
import { readCookie, writeCookie } from "./service-cookie.ts";

const names = {
  /** The session's clock, for scripts. */
  clock: "LoginToken",
  login: "login",
  longterm: "LongtermToken",
} as const;

/** What a session has the browser keep; null removes it. */
export interface LoginCookies extends Record<keyof typeof names, string | null> {
  /** When they are to be forgotten, in seconds from now; undefined when the browser is closed. */
  lifetime?: number | undefined;
}

/** Who makes a request, and what their browser has of the login service. */
export function loginCallerOf(request: Request): LoginCaller {
  return {
    address: originalAddress(request),
    secure: request.secure,
    host: request.host,
    credentials: credentialsOf(request),
  };
}

export function credentialsOf(request: Pick<Request, "cookies">): Credentials {
  return { login: readCookie(request, names.login), longterm: readCookie(request, names.longterm) };
}

/** Returns values of Set-Cookie headers. */
export function writeLoginCookies(
  { clock, login, longterm, lifetime }: LoginCookies,
  { secure }: Pick<LoginCaller, "secure">,
): string[] {
  return [
    writeCookie(names.clock, clock, { secure, lifetime, httpOnly: false }),
    writeCookie(names.login, login, { secure, lifetime }),
    writeCookie(names.longterm, longterm, { secure, lifetime }),
  ];
}

/** Removes all that a browser has of the login service. Returns values of Set-Cookie headers. */
export function removeLoginCookies(caller: Pick<LoginCaller, "secure">): string[] {
  return writeLoginCookies({ clock: null, login: null, longterm: null }, caller);
}

/** Writes what a browser with these credentials sends: the value of a Cookie header. */
export function loginCookieHeader({ login, longterm }: Credentials): string {
  return stringifyCookie({ [names.login]: login, [names.longterm]: longterm });
}
