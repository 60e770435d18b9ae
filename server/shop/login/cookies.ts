import { type SetCookie, stringifySetCookie } from "cookie";
import type { LoginCaller } from "../../services/login-service.ts";

/** The cookies of a session; those left out are removed. */
export interface SessionCookies {
  /** The session's clock, for scripts. */
  clock?: string;
  login?: string;
  longterm?: string | undefined;
  /** When they are to be forgotten, in seconds from now; undefined when the browser is closed. */
  lifetime?: number | undefined;
}

/** @returns values of Set-Cookie headers */
export function sessionCookies({ clock, login, longterm, lifetime }: SessionCookies, caller: LoginCaller): string[] {
  return [toCookie("LoginToken", clock, false), toCookie("login", login), toCookie("LongtermToken", longterm)];

  function toCookie(name: string, value: string | undefined, httpOnly = true): string {
    return value === undefined
      ? write({ name, value: "", httpOnly, maxAge: 0, expires: new Date(0) })
      : write({ name, value, httpOnly, ...(lifetime !== undefined && { maxAge: lifetime }) });
  }

  function write(cookie: SetCookie): string {
    return stringifySetCookie({ path: "/", sameSite: "lax", secure: caller.secure, ...cookie });
  }
}
