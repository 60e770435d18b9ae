import { stringifyCookie } from "cookie";
import type { Request } from "express";
import { readCookie, writeCookie } from "./cookies.ts";

/** The cookies of the preview service. */
export interface StaffCookies {
  staff?: string | undefined;
  cobra?: string | undefined;
  context?: string | undefined;
}

const names = {
  staff: "StaffAuthToken",
  cobra: "CobraAuthToken",
  context: "PreviewContext",
  /** Tells scripts that staff are signed in. */
  flag: "preview",
} as const;

/** All cookies of the preview service. */
export const ownStaffCookies: readonly string[] = Object.values(names);

/** The cookies that identify staff and their preview. */
export const staffCookieNames = [names.staff, names.cobra, names.context];

const keys = ["staff", "cobra", "context", "flag"] as const satisfies (keyof typeof names)[];

/** Reads the cookies of the preview service. */
export function staffCookiesOf(request: Pick<Request, "cookies">): StaffCookies {
  return {
    staff: readCookie(request, names.staff),
    cobra: readCookie(request, names.cobra),
    context: readCookie(request, names.context),
  };
}

/** Whether a request has the cookie of a preview. */
export function mayPreview(request: Pick<Request, "cookies">): boolean {
  return staffCookiesOf(request).context !== undefined;
}

/**
 * Writes some of the cookies.
 * @param values - the value of each cookie; null removes it
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

/** Removes all cookies of the preview service. Returns values of Set-Cookie headers. */
export function removeStaffCookies(secure: boolean): string[] {
  return writeStaffCookies({ staff: null, cobra: null, context: null, flag: null }, { secure });
}

/** Writes cookies as the value of a Cookie header. */
export function staffCookieHeader({ staff, cobra, context }: StaffCookies): string {
  return stringifyCookie({ [names.staff]: staff, [names.cobra]: cobra, [names.context]: context });
}
