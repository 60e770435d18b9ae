import { stringifyCookie } from "cookie";
import type { Request } from "express";
import { readDevice } from "./device-cookies.ts";
import type { Credentials, LoginCaller } from "./login-service.ts";
import { readCookie, writeCookie } from "./service-cookie.ts";

const names = {
  /** The session's clock, for scripts. */
  clock: "LoginToken",
  login: "login",
  longterm: "LongtermToken",
} as const;

/** Every cookie of the login service. */
export const ownLoginCookies: readonly string[] = Object.values(names);

/** The cookies that the login service knows a customer by. */
export const loginCookieNames = [names.login, names.longterm];

/** Values of the cookies of a session; null removes a cookie from the browser. */
export interface LoginCookies extends Record<keyof typeof names, string | null> {
  /** How long the browser keeps them, in seconds; undefined keeps them until it is closed. */
  lifetime?: number | undefined;
}

/** Reads who makes a request, and what their browser has of the login service. */
export function loginCallerOf(request: Request): LoginCaller {
  return {
    address: request.ip,
    secure: request.secure,
    host: request.host,
    credentials: credentialsOf(request),
    device: readDevice(request, "customer"),
  };
}

/** Reads the cookies of the login service that only servers see. */
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

/** Removes all that a browser has of the login service. Returns values of Set-Cookie headers. */
export function removeLoginCookies(caller: Pick<LoginCaller, "secure">): string[] {
  return writeLoginCookies({ clock: null, login: null, longterm: null }, caller);
}

/** Writes what a browser with these credentials sends: the value of a Cookie header. */
export function loginCookieHeader({ login, longterm }: Credentials): string {
  return stringifyCookie({ [names.login]: login, [names.longterm]: longterm });
}
