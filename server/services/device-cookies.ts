import type { Request } from "express";
import { day, second } from "../../client/rules/time.ts";
import { readCookie, writeCookie } from "./service-cookie.ts";

/** By which cookie a browser is known after it was signed out, too. No service but the embedded ones gets them. */
const names = { customer: "KnownDevice", staff: "KnownStaffDevice" } as const;

/** The longest that browsers keep a cookie: https://developer.chrome.com/blog/cookie-max-age-expires */
const lifetime = 400 * day;

/** Reads by what a browser may be known. */
export function readDevice(request: Pick<Request, "cookies">, kind: keyof typeof names): string | undefined {
  return readCookie(request, names[kind]);
}

/** Writes by what a browser is known from now on. Returns the value of a Set-Cookie header. */
export function writeDevice(kind: keyof typeof names, device: string, { secure }: { secure: boolean }): string {
  return writeCookie(names[kind], device, { secure, lifetime: lifetime / second });
}
