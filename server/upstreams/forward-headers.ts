import type { IncomingHttpHeaders } from "node:http";
import type { Request } from "express";

type Headers = Record<string, string | string[]>;

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
/** Headers in which a client could claim to be somebody else, or to come from elsewhere. */
const claims = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-login-token",
  "x-real-ip",
];

/**
 * Gives the headers of a request as its upstream gets them: the client's own, and where the request comes from as far
 * as that is believed.
 */
export function requestHeaders(request: Request): Headers {
  return {
    ...without(request.headers, [...hopByHop, ...claims, "expect", "host"]),
    ...(request.ip && { "x-forwarded-for": request.ip }),
    "x-forwarded-proto": request.protocol,
    "x-forwarded-host": request.host,
  };
}

/** Gives the login token of the customer who is signed in, in the header from which the customer service takes it. */
export function loginTokenHeader({ cookies }: Request): Headers {
  const token: unknown = cookies.login;
  // A value that no header can hold would count as a fault of the upstream: test/server/upstreams/login.test.ts
  return typeof token === "string" && /^[\x21-\x7e]+$/.test(token) ? { "x-login-token": token } : {};
}

/** Gives the headers of an upstream's answer as the client gets them. */
export function answerHeaders(headers: IncomingHttpHeaders): Headers {
  return without(headers, hopByHop);
}

function without(headers: IncomingHttpHeaders, names: string[]): Headers {
  const named = headers.connection?.toLowerCase().split(",") ?? [];
  const dropped = new Set([...names, ...named.map((name) => name.trim())]);
  const kept: Headers = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !dropped.has(name)) kept[name] = value;
  return kept;
}
