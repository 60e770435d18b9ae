import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";

/** A request of Node. In Express, it also has the application. */
export interface VisitorRequest extends IncomingMessage {
  app?: { get(setting: string): unknown };
}

/** Headers of one connection: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const ofConnection = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

/** Returns the headers that a proxy passes on. */
export function endToEnd(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = (headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !ofConnection.test(name) && !named.includes(name)) passed[name] = value;
  return passed;
}

/**
 * Returns the headers with which a visitor's request goes to the service. What a request claims about earlier
 * connections is passed on only if the application trusts its sender, by Express's setting `trust proxy`.
 * @param parsed - the body, if it has been read before
 */
export function headersFor(visit: VisitorRequest, parsed: Buffer | undefined): Record<string, string | string[]> {
  const { headers, socket } = visit;
  const { "x-forwarded-for": before, "x-forwarded-proto": protocol, "x-forwarded-host": host } = headers;
  const isTrusted = trusts(visit);
  const own = socket instanceof TLSSocket ? "https" : "http";
  const { expect: _answeredByNode, forwarded: _unchecked, ...passed } = endToEnd(headers);
  if (headers.host) passed.host = headers.host;
  // The reader of this list knows which of its addresses to trust.
  passed["x-forwarded-for"] = [before, socket.remoteAddress].filter(Boolean).join(", ");
  passed["x-forwarded-proto"] = isTrusted && protocol ? protocol : own;
  passed["x-forwarded-host"] = isTrusted && host ? host : (headers.host ?? "");
  if (parsed) {
    delete passed["content-encoding"];
    passed["content-length"] = String(parsed.length);
  } else if (headers["transfer-encoding"]) passed["transfer-encoding"] = "chunked";
  // `Connection` may name it; without it, a body would be taken for the next request.
  else if (headers["content-length"]) passed["content-length"] = headers["content-length"];
  return passed;
}

function trusts({ app, socket }: VisitorRequest): boolean {
  const isTrusted = app?.get("trust proxy fn");
  return typeof isTrusted === "function" && isTrusted(socket.remoteAddress, 0) === true;
}
