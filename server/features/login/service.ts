import type { LoginRequest } from "../../../schemas/types.ts";
import { type Caller, writeCookie } from "../../http/cookies.ts";
import type { ProviderSessions } from "../../oidc/backchannel-logout.ts";
import type { SignInFailure } from "../../oidc/sign-in-failure.ts";
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

/** The login service of a site: embedded, real, or an OpenID provider. Cookies are values of Set-Cookie headers. */
interface LoginService extends CustomerSessions {
  /**
   * Finds the session of a caller whose `LoginToken` is unexpired. With a real service, the presence of its credential
   * is enough.
   */
  findSession(caller: Caller): Promise<Session | undefined>;
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

/** A service that checks passwords. */
export interface PasswordLogin extends LoginService {
  /**
   * @throws UnavailableError if the service can't answer
   */
  login(request: LoginRequest, caller: Caller): Promise<LoginResult>;
}

/** How a sign-in at a provider ends. `cookies` are values of Set-Cookie headers, also after a failure. */
export type CallbackResult =
  | { status: "success"; cookies: string[] }
  | { status: SignInFailure; cookies: string[] }
  | (RateLimited & { cookies: string[] });

/** A service that leads to an OpenID provider, where customers sign in. */
export interface ProviderLogin extends LoginService {
  /** The sessions that began there. */
  sessions: ProviderSessions;
  /**
   * Begins a sign-in.
   * @returns the address at the provider
   * @throws UnavailableError if the provider can't answer
   */
  begin(site: Site, caller: Caller): Promise<{ url: string; cookies: string[] }>;
  /**
   * Ends the session of a caller, as `logout` does.
   * @returns also the address at the provider where its own session ends; undefined if there is none, or if it can't answer
   */
  leave(site: Site, caller: Caller): Promise<{ cookies: string[]; url: string | undefined }>;
  /**
   * Ends a sign-in.
   * @param answer - the URL to which the provider has led the browser
   * @throws UnavailableError if the store can't answer
   */
  complete(answer: URL, caller: Caller): Promise<CallbackResult>;
}

/** How a renewal ends: `last` if the session can't be renewed again. */
export interface Renewal {
  status: "renewed" | "last" | "ended";
  cookies: string[];
}

/** Sessions in our own store. If one has ended, the cookies remove it from the browser. */
export interface OwnSessions {
  /**
   * Renews the session of a caller.
   * @throws UnavailableError if a provider must be asked, and can't answer
   */
  renewSession(caller: Caller): Promise<Renewal>;
  /** Writes the cookies of a session anew after a renewal. Returns values of Set-Cookie headers. */
  renewLongtermToken(caller: Caller): Promise<string[]>;
}

/** Returns the login service of a site. Sessions belong to a host, as their cookies do. */
export type LoginOf = (site: Site) => PasswordLogin | ProviderLogin;

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
