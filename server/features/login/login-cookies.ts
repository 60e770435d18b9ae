import { stringifyCookie } from "cookie";
import type { Request } from "express";
import { readDeviceCookie } from "../../accounts/trusted-devices.ts";
import { readCookie, writeCookie } from "../../http/cookies.ts";
import type { Credentials, LoginCaller } from "./service.ts";

const names = {
  /** The session's clock, which scripts read. */
  clock: "LoginToken",
  login: "login",
  longterm: "LongtermToken",
} as const;

/** All cookies of the login service. */
export const ownLoginCookies: readonly string[] = Object.values(names);

/** The credentials among them. */
export const loginCookieNames = [names.login, names.longterm];

/** Values of the cookies of a session; null removes a cookie. */
interface LoginCookies extends Record<keyof typeof names, string | null> {
  /** Lifetime in seconds; undefined for the browser session. */
  lifetime?: number | undefined;
}

/** Reads the caller of the login service from a request. */
export function loginCallerOf(request: Request): LoginCaller {
  return {
    address: request.ip,
    secure: request.secure,
    host: request.host,
    credentials: credentialsOf(request),
    device: readDeviceCookie(request, "customer"),
  };
}

/** Reads the HttpOnly cookies of the login service. */
export function credentialsOf(request: Pick<Request, "cookies">): Credentials {
  return { login: readCookie(request, names.login), longterm: readCookie(request, names.longterm) };
}

/** Writes the cookies of a session. Returns values of Set-Cookie headers. */
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

/** Removes the cookies of a session. Returns values of Set-Cookie headers. */
export function removeLoginCookies(caller: Pick<LoginCaller, "secure">): string[] {
  return writeLoginCookies({ clock: null, login: null, longterm: null }, caller);
}

/** Writes credentials as the value of a Cookie header. */
export function loginCookieHeader({ login, longterm }: Credentials): string {
  return stringifyCookie({ [names.login]: login, [names.longterm]: longterm });
}
