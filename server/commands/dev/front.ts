import { once } from "node:events";
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../../client/rules/time.ts";
import { createHostCheck, describeRefusedHost } from "../../http/allowed-hosts.ts";
import { setCachePolicy } from "../../http/cache-control.ts";

/**
 * Answers requests: the service, at its own port and for certain hosts, or a page with the faults that prevent its
 * start.
 */
export type Answering = { port: number; hosts: readonly string[] } | { faults: readonly string[] };

const scriptPath = "/@dev/reload.js";
const eventsPath = "/@dev/events";

/**
 * Reloads a page once it is outdated. The script's address contains the page's version. In a frame, the surrounding
 * page does this. A hidden tab waits until it is shown, because a browser opens only six connections to a host.
 */
const script = `if (window === top) {
  const address = "${eventsPath}" + new URL(document.currentScript.src).search;
  let events;
  const listen = () => {
    events?.close();
    if (document.hidden) return;
    events = new EventSource(address);
    events.onmessage = () => location.reload();
  };
  document.addEventListener("visibilitychange", listen);
  listen();
}
`;

/** How soon a browser connects again after its event stream broke. */
const retry: Milliseconds = second / 2;
/** How long a request may delay the replacement of the process that answers it. */
const longestAnswer: Milliseconds = second;
/** Hop-by-hop headers, which concern a single connection. */
const hopByHop = ["connection", "keep-alive", "transfer-encoding"];

/**
 * Creates the server that browsers talk to under `dev`. It forwards requests to the service, makes them wait while the
 * service reloads, and notifies open pages.
 * @param hosts - the hosts that are answered, besides those of this machine, until the service has named its own
 */
export function createFront(hosts: readonly string[]) {
  let isAllowed = createHostCheck(hosts);
  let answering = Promise.withResolvers<Answering>();
  let isHeld = true;
  // Differs from the version of an earlier process, whose pages may still be open.
  let version = Date.now();
  const streams = new Set<ServerResponse>();
  const forwarded = new Set<Promise<void>>();
  const server = createServer((request, response) => void answer(request, response));
  return { server, hold, idle, show };

  /** Makes new requests wait. */
  function hold(): void {
    if (isHeld) return;
    isHeld = true;
    answering = Promise.withResolvers();
  }

  /** Resolves when the requests from before `hold` are answered. */
  async function idle(): Promise<void> {
    await Promise.race([Promise.all(forwarded), pause(longestAnswer)]);
  }

  /** Answers all waiting and new requests, and reloads the open pages. */
  function show(now: Answering): void {
    hold();
    isHeld = false;
    if ("hosts" in now) isAllowed = createHostCheck(now.hosts);
    version += 1;
    answering.resolve(now);
    for (const stream of streams) stream.end("data: reload\n\n");
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path, query] = (request.url ?? "").split("?");
    if ((path === scriptPath || path === eventsPath) && refuses(request, response)) return;
    if (path === scriptPath) return void response.setHeader("Content-Type", "text/javascript").end(script);
    if (path === eventsPath) return openStream(query, response);
    const now = await answering.promise;
    if (response.destroyed) return;
    if ("faults" in now) return refuses(request, response) ? undefined : sendFaults(now.faults, request, response);
    const forwarding = forward(now.port, request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else sendFaults(["The service ended before it answered: the terminal shows why."], request, response);
    });
    forwarded.add(forwarding);
    await forwarding;
    forwarded.delete(forwarding);
  }

  function openStream(query: string | undefined, response: ServerResponse) {
    setCachePolicy(response, "page");
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(`retry: ${retry}\n\n`);
    if (query !== String(version)) return void response.end("data: reload\n\n");
    streams.add(response);
    response.once("close", () => streams.delete(response));
  }

  /**
   * Refuses an unknown host, as the service itself would.
   * @returns whether the request is answered
   */
  function refuses({ headers: { host } }: IncomingMessage, response: ServerResponse): boolean {
    if (host === undefined || isAllowed(host)) return false;
    setCachePolicy(response, "page");
    response.writeHead(403, { "Content-Type": "text/plain; charset=utf-8" }).end(describeRefusedHost(host));
    return true;
  }

  function sendFaults(faults: readonly string[], { headers }: IncomingMessage, response: ServerResponse) {
    const isPage = headers.accept?.includes("text/html");
    const type = isPage ? "text/html" : "text/plain";
    setCachePolicy(response, "page");
    response.writeHead(500, { "Content-Type": `${type}; charset=utf-8` });
    response.end(isPage ? renderFaults(faults) + scriptTag() : `${faults.join("\n")}\n`);
  }

  function scriptTag(): string {
    return `<script src="${scriptPath}?${version}"></script>`;
  }

  /** Forwards a request, and adds the script to a page. Fragments stay unchanged. */
  async function forward(port: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const tag = scriptTag();
    const { method, url = "", rawHeaders } = request;
    const asked = ask({ host: "127.0.0.1", port, method, path: url, headers: rawHeaders, agent: false });
    asked.on("error", () => undefined);
    response.once("close", () => asked.destroy());
    request.pipe(asked);
    const [answered]: IncomingMessage[] = await once(asked, "response");
    if (!answered) return;
    const { headers, statusCode = 502, statusMessage } = answered;
    const isPage = headers["content-type"]?.startsWith("text/html") && !url.startsWith("/fragments/");
    response.writeHead(statusCode, statusMessage, headersFor(answered, isPage ? ["content-length"] : []));
    await pipeline(
      answered,
      async function* (html) {
        yield* html;
        if (isPage) yield tag;
      },
      response,
    );
  }
}

/** Returns the headers of an answer, changed so that browsers always revalidate files that may have changed. */
function headersFor({ headers, rawHeaders }: IncomingMessage, dropped: readonly string[]): string[] {
  const left = [...hopByHop, ...dropped];
  const isKept = /immutable|no-store/.test(headers["cache-control"] ?? "no-store");
  if (!isKept) left.push("cache-control");
  const kept = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !left.includes(name.toLowerCase()) ? [name, rawHeaders[at + 1] ?? ""] : [],
  );
  return isKept ? kept : [...kept, "Cache-Control", "no-cache"];
}

const faultStyle = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 4rem auto; padding: 0 1rem; color: #1b1b1b }
h1 { font-size: 1.25rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.75rem 0; padding: 0.75rem 1rem; border-left: 4px solid #b3261e; background: #fdeceb }`;

/** Renders the page that replaces every page of the service while its sources have faults. */
function renderFaults(faults: readonly string[]): string {
  const list = faults.map((fault) => `<pre>${escapeText(fault)}</pre>`).join("\n");
  return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Faults</title>
<style>${faultStyle}</style>
<h1>The service can't show this page</h1>
${list}
<p>It comes back by itself as soon as you have saved a correction.</p>
`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
