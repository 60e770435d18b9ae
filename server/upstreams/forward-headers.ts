import type { IncomingHttpHeaders } from "node:http";
import type { Request } from "express";

type Headers = Record<string, string | string[]>;

/** Headers of one connection: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
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
/** What a client claims of itself and its way here. */
const claims = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-login-token",
  "x-real-ip",
];

/** Headers of a request as its upstream gets them: the client's own, and where it comes from as far as we believe it. */
export function requestHeaders(request: Request): Headers {
  return {
    ...without(request.headers, [...hopByHop, ...claims, "expect", "host"]),
    ...(request.ip && { "x-forwarded-for": request.ip }),
    "x-forwarded-proto": request.protocol,
    "x-forwarded-host": request.host,
  };
}

/** The credential of the customer who is signed in, as the service of customers' data takes it. */
export function loginTokenHeader({ cookies }: Request): Headers {
  const token: unknown = cookies.login;
  // What no header can hold would look like a fault of the upstream.
  return typeof token === "string" && /^[\x21-\x7e]+$/.test(token) ? { "x-login-token": token } : {};
}

/** Headers of an upstream's answer as the client gets them. */
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
