import type { IncomingHttpHeaders } from "node:http";
import type { Request } from "express";
import { clearedCache } from "../http/cache-control.ts";
import type { OriginalAddressOf } from "../http/client-address.ts";
import { readCookie } from "../http/cookies.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import { type CookieFilter, cookieName } from "./service-cookies.ts";

/** The parts of a visitor's request that a service gets, and the parts of its answers that the visitor gets. */
export interface ForwardRules {
  /** Names of the cookies that it gets; undefined for none. */
  cookies?: readonly string[];
  /** Names of the cookies that it may set; undefined for none. */
  setsCookies?: readonly string[];
  /** Whether it gets the credential of the signed-in customer, in the header X-Login-Token. */
  loginToken?: boolean;
  /** Whether it gets the network address of the caller, in the header X-Original-Address. */
  originalAddress?: boolean;
}

/** The functions that find out where a call comes from. */
export interface SourceContext {
  originalAddressOf: OriginalAddressOf;
  /** The site of a call that names none. */
  siteOf: Pick<SiteResolver, "host">;
}

type Headers = Record<string, string | string[]>;

/** The request headers that every service gets; all others are removed. */
const forEveryService = [
  "accept",
  "accept-language",
  "cache-control",
  "content-encoding",
  "content-type",
  "if-modified-since",
  "if-none-match",
  "origin",
  "sec-fetch-site",
  "user-agent",
  "x-hunter-csrf",
  "x-site",
];
/** The response headers that browsers get. Those for security, caching and the connection are the service's own. */
const forEveryBrowser = [
  "allow",
  "content-disposition",
  "content-language",
  "content-length",
  "content-type",
  "etag",
  "last-modified",
  "location",
  "retry-after",
  "vary",
];

/** Returns the headers of a forwarded request: the client's allowed headers, and those that name its source. */
export function requestHeaders(
  request: Request,
  { cookies = [], loginToken, originalAddress }: ForwardRules,
  { originalAddressOf, siteOf }: SourceContext,
) {
  const headers: Headers = {
    ...(request.query.site === undefined && { "x-site": siteOf.host(request).site }),
    ...pickHeaders(request.headers, forEveryService),
  };
  const cookie = pickCookies(request.headers.cookie, cookies);
  if (cookie) headers.cookie = cookie;
  const token = loginToken && readCookie(request, "login");
  // A value that a header can't contain would look like a fault of the upstream.
  if (token && /^[\x21-\x7e]+$/.test(token)) headers["x-login-token"] = token;
  const from = originalAddress && originalAddressOf(request);
  if (from) headers["x-original-address"] = from;
  if (request.ip) headers["x-forwarded-for"] = request.ip;
  headers["x-forwarded-proto"] = request.secure ? "https" : "http";
  headers["x-forwarded-host"] = request.host;
  return headers;
}

/**
 * Returns the headers of an upstream's answer for the client.
 * @param filterCookies - returns the cookies that the upstream may set
 * @param isPublic - whether the upstream may decide who stores the answer
 */
export function answerHeaders(headers: IncomingHttpHeaders, filterCookies: CookieFilter, isPublic: boolean): Headers {
  const cookies = filterCookies(headers["set-cookie"]);
  const mayStore = isPublic && headers["set-cookie"] === undefined;
  const { "content-type": received, ...picked } = pickHeaders(
    headers,
    mayStore ? [...forEveryBrowser, "cache-control"] : forEveryBrowser,
  );
  const type = typeof received === "string" ? harmlessType(received) : undefined;
  return {
    ...picked,
    ...(type !== undefined && { "content-type": type }),
    // Forwarded at a logout. Only this value, because cookies and storage may be the shop's.
    ...(headers["clear-site-data"] === clearedCache && { "clear-site-data": clearedCache }),
    ...(cookies.length > 0 && { "set-cookie": cookies }),
  };
}

/** The charsets that may be declared. With another one, such as UTF-7, browsers could read other characters. */
const charsets = /^(?:utf-8|us-ascii|iso-8859-1)$/i;

/** Returns a content type without an unusual charset; undefined if it names no type. */
function harmlessType(received: string): string | undefined {
  const [type = "", ...parameters] = received.split(";").map((part) => part.trim());
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type)) return undefined;
  const isHarmless = (parameter: string) => {
    const [name = "", value = ""] = parameter.split("=");
    return name.trim().toLowerCase() !== "charset" || charsets.test(value.trim().replace(/^"(.*)"$/, "$1"));
  };
  return [type, ...parameters.filter(isHarmless)].join("; ");
}

function pickCookies(header: string | undefined, names: readonly string[]): string {
  const pairs = header?.split(";").map((pair) => pair.trim()) ?? [];
  return pairs.filter((pair) => names.includes(cookieName(pair))).join("; ");
}

function pickHeaders(headers: IncomingHttpHeaders, names: readonly string[]): Headers {
  const picked: Headers = {};
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
