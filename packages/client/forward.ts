import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request, type ServerResponse } from "node:http";
import { Agent as HttpsAgent, request as requestSecurely } from "node:https";
import { isIP } from "node:net";
import { pipeline } from "node:stream";
import type { ServiceAccess } from "./answers.ts";
import { reasonOf } from "./call-service.ts";
import { endToEnd, headersFor } from "./forwarded-headers.ts";
import { parsedBody } from "./parsed-body.ts";

/** The largest body that is forwarded, in bytes. The service itself takes no more than 16,384. */
const maxBody = 1_000_000;

/** Headers that the page's server may have set for its own pages. The service's pages have a policy of their own. */
const ofPages = ["content-security-policy", "content-security-policy-report-only"];

/**
 * Creates the proxy that forwards requests to the service. It streams both ways, keeps `Host` and all cookies, and
 * passes redirects on. It answers 413 if a body is too large, 502 if the service can't be reached, and 504 if it sends
 * nothing for ten deadlines.
 * @returns a function that throws an Error if a body has been read and can't be restored
 */
export function createForward({ origin, deadline, failed, answered }: ServiceAccess) {
  const { protocol, hostname, port } = new URL(origin);
  const isSecure = protocol === "https:";
  const ask = isSecure ? requestSecurely : request;
  const kept = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true });
  const host = hostname.replace(/^\[|\]$/g, "");
  // Otherwise Node would expect a certificate for the header Host, which names the site.
  const servername = isIP(host) ? "" : host;
  const timeout = 10 * deadline;

  return (visit: IncomingMessage, response: ServerResponse, site: string): void => {
    const parsed = parsedBody(visit);
    const length = parsed ? parsed.length : Number(visit.headers["content-length"] ?? 0);
    if (length > maxBody) return void refuse(response, 413);
    const hasBody = length > 0 || visit.headers["transfer-encoding"] !== undefined;
    const headers = headersFor(visit, parsed);
    let outgoing: ClientRequest;
    let hasAnswer = false;
    response.once("close", () => {
      if (!response.writableFinished) outgoing.destroy();
    });
    send();

    function send(): void {
      const { method, url: path } = visit;
      // The service may close a kept connection at any time. Only a request without a body can be sent again.
      const agent = hasBody ? false : kept;
      outgoing = ask({ protocol, host, port, path, method, headers, agent, servername, timeout });
      outgoing.on("timeout", () => outgoing.destroy(new DOMException("", "TimeoutError")));
      outgoing.on("error", fail);
      outgoing.on("response", (answer) => {
        hasAnswer = true;
        answered();
        pass(answer, response);
      });
      if (parsed || !hasBody) outgoing.end(parsed);
      else stream();
    }

    function stream(): void {
      let bytes = 0;
      visit.on("data", ({ length }: Buffer) => {
        bytes += length;
        if (bytes <= maxBody || response.headersSent) return;
        refuse(response, 413);
        outgoing.destroy();
        visit.unpipe(outgoing).resume();
      });
      visit.pipe(outgoing);
    }

    function fail(error: Error): void {
      // The service may answer before it has read the whole body, and the visitor may leave.
      if (hasAnswer || response.headersSent || response.destroyed) return;
      const isStale = outgoing.reusedSocket && "code" in error && error.code === "ECONNRESET";
      if (isStale) return void send();
      failed(site, reasonOf(error, timeout));
      refuse(response, error.name === "TimeoutError" ? 504 : 502);
    }
  };
}

/** Passes an answer on as it arrives. One that breaks off also breaks off for the visitor. */
function pass(answer: IncomingMessage, response: ServerResponse): void {
  for (const name of ofPages) response.removeHeader(name);
  for (const [name, value] of Object.entries(endToEnd(answer.headers)))
    if (name === "set-cookie") response.appendHeader(name, value);
    else response.setHeader(name, value);
  response.writeHead(answer.statusCode ?? 502);
  response.flushHeaders();
  pipeline(answer, response, () => undefined);
}

function refuse(response: ServerResponse, status: 413 | 502 | 504): void {
  const texts = { 413: "Content Too Large", 502: "Bad Gateway", 504: "Gateway Timeout" };
  response.writeHead(status, { "Content-Type": "text/plain", "Cache-Control": "no-store" });
  response.end(texts[status]);
}
