import { stringifyCookie } from "cookie";
import type { Request } from "express";
import { readDevice } from "./device-cookies.ts";
import type { StaffCaller, StaffCookies } from "./preview-service.ts";
import { readCookie, writeCookie } from "./service-cookie.ts";

const names = {
  staff: "StaffAuthToken",
  cobra: "CobraAuthToken",
  context: "PreviewContext",
  /** Tells scripts that somebody is signed in. */
  flag: "preview",
} as const;

/** Every cookie of the preview service. */
export const ownStaffCookies: readonly string[] = Object.values(names);

/** The cookies by which services know staff, and what these preview. */
export const staffCookieNames = [names.staff, names.cobra, names.context];

const keys = ["staff", "cobra", "context", "flag"] as const satisfies (keyof typeof names)[];

/** Reads who makes a request, and what their browser has of the preview service. */
export function staffCallerOf(request: Request): StaffCaller {
  return {
    address: request.ip,
    secure: request.secure,
    cookies: staffCookiesOf(request),
    device: readDevice(request, "staff"),
  };
}

/** Reads what a browser has of the preview service. */
export function staffCookiesOf(request: Pick<Request, "cookies">): StaffCookies {
  return {
    staff: readCookie(request, names.staff),
    cobra: readCookie(request, names.cobra),
    context: readCookie(request, names.context),
  };
}

/**
 * Writes some of the cookies.
 * @param values - the value of each cookie; null removes it from the browser
 * @param lifetime - how long the browser keeps them, in seconds
 * @returns values of Set-Cookie headers
 */
export function writeStaffCookies(
  values: Partial<Record<keyof typeof names, string | null>>,
  { secure, lifetime }: { secure: boolean; lifetime?: number },
): string[] {
  return keys.flatMap((key) => {
    const value = values[key];
    return value === undefined ? [] : [writeCookie(names[key], value, { secure, lifetime, httpOnly: key !== "flag" })];
  });
}

/** Removes all that the browser has of the preview service. */
export function removeStaffCookies(secure: boolean): string[] {
  return writeStaffCookies({ staff: null, cobra: null, context: null, flag: null }, { secure });
}

/** Writes what a browser with these cookies sends: the value of a Cookie header. */
export function staffCookieHeader({ staff, cobra, context }: StaffCookies): string {
  return stringifyCookie({ [names.staff]: staff, [names.cobra]: cobra, [names.context]: context });
}
