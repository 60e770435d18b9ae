import { type Caller, readCookie, writeCookie } from "./cookies.ts";

/** The cookies that identify staff and their preview. */
export const staffCookieNames = ["StaffAuthToken", "CobraAuthToken", "PreviewContext"] as const;

/** All cookies of the preview service. By `preview`, scripts know that staff are signed in. */
export const ownStaffCookies = [...staffCookieNames, "preview"] as const;

/** Whether a request has the cookie of a preview. */
export function mayPreview(request: Pick<Caller, "cookies">): boolean {
  return readCookie(request, "PreviewContext") !== undefined;
}

/**
 * Writes some of the cookies.
 * @param values - the value of each cookie; null removes it
 * @param lifetime - how long the browser keeps them, in seconds
 * @returns values of Set-Cookie headers
 */
export function writeStaffCookies(
  values: Partial<Record<(typeof ownStaffCookies)[number], string | null>>,
  { secure }: Pick<Caller, "secure">,
  lifetime?: number,
): string[] {
  return Object.entries(values).map(([name, value]) =>
    writeCookie(name, value, { secure, lifetime, httpOnly: name !== "preview" }),
  );
}

/** Removes all cookies of the preview service. Returns values of Set-Cookie headers. */
export function removeStaffCookies(caller: Caller): string[] {
  return writeStaffCookies({ StaffAuthToken: null, CobraAuthToken: null, PreviewContext: null, preview: null }, caller);
}
