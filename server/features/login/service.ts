import type { LoginRequest } from "../../../schemas/types.ts";
import { type Caller, writeCookie } from "../../http/cookies.ts";
import type { Failed, RateLimited } from "../../platform/errors.ts";
import type { Session } from "../../rendering/visitor.ts";
import type { Site } from "../../sites/countries.ts";
import type { CustomerSessions } from "../customer/service.ts";

/** Why a login is refused. An unknown address and a wrong password are both `unauthorized`. */
export type LoginRefusal =
  | Failed<"unauthorized">
  | RateLimited
  | (Failed<"unavailable"> & Pick<RateLimited, "retryAfter">);

/** `cookies` are values of Set-Cookie headers. */
export type LoginResult = { status: "success"; cookies: string[] } | LoginRefusal;

/** The login service, embedded or real. Cookies are values of Set-Cookie headers. */
export interface LoginService extends CustomerSessions {
  /**
   * Finds the session of a caller whose `LoginToken` is unexpired. With a real service, the presence of its credential
   * is enough.
   */
  findSession(caller: Caller): Promise<Session | undefined>;
  /**
   * @throws UnavailableError if the service can't answer
   */
  login(request: LoginRequest, caller: Caller): Promise<LoginResult>;
  /**
   * Ends the session of a caller, and removes its cookies.
   * @throws UnavailableError if the service can't answer
   */
  logout(caller: Caller): Promise<string[]>;
  /**
   * Continues the session of a caller whose `login` is missing or invalid, as pages do when they renew a session.
   * @returns its new cookies, including `login`; undefined if there is no such session
   * @throws UnavailableError if the service can't answer
   */
  resumeSession(caller: Caller): Promise<string[] | undefined>;
}

/** Returns the login service of a site. Sessions belong to a host, as their cookies do. */
export type LoginOf = (site: Site) => LoginService;

/** The cookies with the credentials of a session. */
export const loginCookieNames = ["login", "LongtermToken"] as const;

/** All cookies of the login service. Scripts can read `LoginToken`, the session's clock. */
export const ownLoginCookies = ["LoginToken", ...loginCookieNames] as const;

/**
 * Writes the cookies of a session. Returns values of Set-Cookie headers.
 * @param values - the value of each cookie; null removes it
 * @param lifetime - in seconds; undefined for the browser session
 */
export function writeLoginCookies(
  values: Record<(typeof ownLoginCookies)[number], string | null>,
  { secure }: Caller,
  lifetime?: number,
): string[] {
  return ownLoginCookies.map((name) =>
    writeCookie(name, values[name], { secure, lifetime, httpOnly: name !== "LoginToken" }),
  );
}

/**
 * Removes the clock of a session, so that scripts take nobody for signed in.
 * @returns the value of a Set-Cookie header
 */
export function removeClock({ secure }: Caller): string {
  return writeCookie("LoginToken", null, { secure, httpOnly: false });
}

/** Removes the cookies of a session. Returns values of Set-Cookie headers. */
export function removeLoginCookies(caller: Caller): string[] {
  return writeLoginCookies({ LoginToken: null, login: null, LongtermToken: null }, caller);
}
