import type { IncomingHttpHeaders } from "node:http";
import type { Request } from "express";
import type { OriginalAddressOf } from "../http/original-address.ts";
import type { Allowed } from "../services/real-services.ts";

type Headers = Record<string, string | string[]>;

/** Headers of requests that every service gets; each other one stays here. */
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
/** Headers that are for one connection alone: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const hopByHop = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/**
 * Gives the headers of a request as its upstream gets them: what the upstream is allowed of the client's own, and where
 * the request comes from as far as that is believed.
 */
export function requestHeaders(
  request: Request,
  { cookies = [], loginToken, originalAddress }: Allowed,
  originalAddressOf: OriginalAddressOf,
) {
  const own = withoutConnection(request.headers);
  const headers: Headers = {};
  for (const name of forEveryService) {
    const value = own[name];
    if (value !== undefined) headers[name] = value;
  }
  const cookie = pickCookies(request.headers.cookie, cookies);
  if (cookie) headers.cookie = cookie;
  if (loginToken) Object.assign(headers, loginTokenHeader(request));
  const from = originalAddress && originalAddressOf(request);
  if (from) headers["x-original-address"] = from;
  if (request.ip) headers["x-forwarded-for"] = request.ip;
  headers["x-forwarded-proto"] = request.secure ? "https" : "http";
  headers["x-forwarded-host"] = request.host;
  return headers;
}

/**
 * Gives the headers of an upstream's answer as the client gets them.
 * @param foreignCookies - names of cookies that it may not set, as they belong to other services
 */
export function answerHeaders(headers: IncomingHttpHeaders, foreignCookies: readonly string[]): Headers {
  // The id of the request stays what it is in the log: test/server/tracing/work.test.ts
  const { "set-cookie": cookies = [], "x-request-id": _theirs, ...kept } = withoutConnection(headers);
  const own = [cookies].flat().filter((cookie) => !foreignCookies.includes(nameOf(cookie)));
  return own.length > 0 ? { ...kept, "set-cookie": own } : kept;
}

/** Gives the cookies of these names as the browser has written them. */
function pickCookies(header: string | undefined, names: readonly string[]): string {
  const pairs = header?.split(";").map((pair) => pair.trim()) ?? [];
  return pairs.filter((pair) => names.includes(nameOf(pair))).join("; ");
}

/** @param cookie - such as `login=x; Path=/` */
function nameOf(cookie: string): string {
  return cookie.slice(0, cookie.indexOf("=")).trim();
}

/** Gives the login token of the customer who is signed in, in the header from which the customer service takes it. */
function loginTokenHeader({ cookies }: Request): Headers {
  const token: unknown = cookies.login;
  // A value that no header can hold would count as a fault of the upstream: test/server/upstreams/login.test.ts
  return typeof token === "string" && /^[\x21-\x7e]+$/.test(token) ? { "x-login-token": token } : {};
}

function withoutConnection(headers: IncomingHttpHeaders): Headers {
  // An upstream that sends it several times sends a list of them: test/server/upstreams/answer-check.test.ts
  const named = String(headers.connection ?? "")
    .toLowerCase()
    .split(",");
  const dropped = new Set([...hopByHop, ...named.map((name) => name.trim())]);
  const kept: Headers = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !dropped.has(name)) kept[name] = value;
  return kept;
}
