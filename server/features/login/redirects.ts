import type { Request, Response } from "express";
import { redirectCookie, safeRedirect } from "../../../client/rules/safe-redirect.ts";
import type { Site } from "../../sites/countries.ts";

/** The path to which an identity provider leads back. */
export const callbackPath = "/login/callback";
/** The attributes of the cookie with the redirect target. */
export const redirectCookieOptions = { path: "/", sameSite: "lax" } as const;

/** Returns the path that a visitor wanted before the login. */
export function storedTarget(request: Request, site: Site): string {
  return safeRedirect(request.cookies[redirectCookie], addressOf(request, site));
}

export function addressOf({ originalUrl }: Request, { origin }: Site): URL {
  return URL.parse(originalUrl, origin) ?? new URL(origin);
}

/** Leads on after the login, and forgets the stored path. */
export function leaveLogin(response: Response, target: string): void {
  response.clearCookie(redirectCookie, redirectCookieOptions);
  response.redirect(303, target);
}
