import type { IncomingHttpHeaders } from "node:http";
import { parseSetCookie, type SetCookie } from "cookie";
import type { Validate } from "../../platform/validate.ts";
import type { CookieSchema } from "../../upstream/service-documents.ts";
import { checkValue, type Differs } from "./check-value.ts";
import type { Jar } from "./documented-call.ts";
import type { Skip } from "./findings.ts";

/** The cookies that an answer sets or removes, by name. */
export type Cookies = ReadonlyMap<string, SetCookie>;

/** Reads the cookies of an answer that its document names. */
export function readSetCookies(headers: IncomingHttpHeaders, { properties }: CookieSchema): Cookies {
  // A single one isn't in a list.
  const texts = [headers["set-cookie"] ?? []].flat();
  const cookies = texts.map((text) => parseSetCookie(text, { decode: (value) => value }));
  return new Map(cookies.filter(({ name }) => name in properties).map((cookie) => [cookie.name, cookie]));
}

/** Whether browsers remove a cookie. */
export function isRemoved({ maxAge, expires }: SetCookie): boolean {
  return maxAge === undefined ? expires !== undefined && expires.getTime() <= Date.now() : maxAge <= 0;
}

/** Returns the cookies of a browser after an answer. */
export function keep(jar: Jar, cookies: Cookies): Jar {
  const kept = { ...jar };
  for (const cookie of cookies.values()) {
    if (isRemoved(cookie)) delete kept[cookie.name];
    else kept[cookie.name] = cookie.value ?? "";
  }
  return kept;
}

/** Checks the attributes of the cookies that an answer sets, by their schema in the document. */
export function checkCookies(cookies: Cookies, validate: Validate<unknown>, differs: Differs, skip: Skip): void {
  const set = [...cookies.values()].filter((cookie) => cookie.value !== "" && !isRemoved(cookie));
  const attributes = Object.fromEntries(set.map((cookie) => [cookie.name, attributesOf(cookie)]));
  checkValue(attributes, validate, (path, expected, found) => {
    const [, name = "", attribute] = path.split("/");
    if (attribute) differs(`cookie ${name}: ${attribute}`, expected, found);
    else differs(`cookie ${name}`, expected, cookies.has(name) ? "removed" : found);
  });
  // No schema can say it: a service that trusts nobody's X-Forwarded-Proto may be right where it will run.
  const isSecure = set.some(({ secure }) => secure);
  if (set.length > 0 && !isSecure)
    skip("Secure of cookies", "none is, though X-Forwarded-Proto is https: does the service trust it?");
  for (const { name, secure } of set)
    if (isSecure && !secure) differs(`cookie ${name}: Secure`, "must be set", "missing");
}

/** Returns the attributes of a cookie by their names in the header. */
function attributesOf({ httpOnly, path, sameSite }: SetCookie): object {
  const [first = "", ...rest] = String(sameSite ?? "");
  return {
    ...(httpOnly && { HttpOnly: true }),
    ...(path !== undefined && { Path: path }),
    ...(first && { SameSite: first.toUpperCase() + rest.join("") }),
  };
}

/** Checks that an answer sets a cookie that only such a call gets. */
export function expectCookie(cookies: Cookies, name: string, differs: Differs): void {
  const cookie = cookies.get(name);
  if (!cookie?.value || isRemoved(cookie)) differs(`cookie ${name}`, "must be set", cookie ? "removed" : "missing");
}
