import { stringifyCookie, stringifySetCookie } from "cookie";
import type { Request } from "express";
import { originalAddress } from "../http/original-address.ts";
import type { StaffCaller, StaffCookies } from "./preview-service.ts";

const names = {
  staff: "StaffAuthToken",
  cobra: "CobraAuthToken",
  context: "PreviewContext",
  /** Tells scripts that somebody is signed in. */
  flag: "preview",
} as const;

type CookieName = keyof typeof names;

/** Who makes a request, and what their browser has of the preview service. */
export function staffCallerOf(request: Request): StaffCaller {
  return { address: originalAddress(request), secure: request.secure, cookies: staffCookiesOf(request) };
}

export function staffCookiesOf({ cookies }: Pick<Request, "cookies">): StaffCookies {
  return {
    staff: textOf(cookies[names.staff]),
    cobra: textOf(cookies[names.cobra]),
    context: textOf(cookies[names.context]),
  };
}

/**
 * @param values - null removes the cookie from the browser
 * @param lifetime - in seconds
 * @returns values of Set-Cookie headers
 */
export function writeStaffCookies(
  values: Partial<Record<CookieName, string | null>>,
  { secure, lifetime = 0 }: { secure: boolean; lifetime?: number },
): string[] {
  return Object.entries(values).map(([key, value]) => {
    const name = names[key as CookieName];
    const common = { name, path: "/", sameSite: "lax", secure, httpOnly: key !== "flag" } as const;
    return stringifySetCookie(
      value === null
        ? { ...common, value: "", maxAge: 0, expires: new Date(0) }
        : { ...common, value, maxAge: lifetime },
    );
  });
}

/** What a browser with these cookies sends: the value of a Cookie header. */
export function writeCookieHeader({ staff, cobra, context }: StaffCookies): string {
  return stringifyCookie({ [names.staff]: staff, [names.cobra]: cobra, [names.context]: context });
}

/** Removes all that the browser has of the preview service. */
export function removeStaffCookies(secure: boolean): string[] {
  return writeStaffCookies({ staff: null, cobra: null, context: null, flag: null }, { secure });
}

/** The parser makes objects of cookies that look like JSON; an empty one is none. */
function textOf(cookie: unknown): string | undefined {
  return typeof cookie === "string" && cookie !== "" ? cookie : undefined;
}
