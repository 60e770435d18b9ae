import { once } from "node:events";
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../../client/rules/time.ts";
import { createHostCheck, describeRefusedHost } from "../../http/allowed-hosts.ts";
import { setCachePolicy } from "../../http/cache-control.ts";
import { renderFaults } from "./fault-page.ts";
import { eventsPath, reloadScript } from "./reload-script.ts";
import type { ShownFault } from "./source-excerpt.ts";

/**
 * Answers requests: the service, at its own port and for certain hosts, or a page with the faults that prevent its
 * start.
 */
export type Answering = { port: number; hosts: readonly string[] } | { faults: readonly string[] };

/** The same, with what a browser shows of the faults. */
type Shown = Exclude<Answering, { faults: unknown }> | { faults: readonly ShownFault[] };

const scriptPath = "/@dev/reload.js";

const endedEarly: ShownFault = {
  fault: "The service ended before it answered: the terminal shows why.",
  excerpt: undefined,
};

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
  let answering = Promise.withResolvers<Shown>();
  let isHeld = true;
  let shown: Shown | undefined;
  // Differs from the version of an earlier process, whose pages may still be open.
  let version = Date.now();
  /** The version of the last pages without faults. */
  let good = version;
  /** The open pages, with their versions. */
  const streams = new Map<ServerResponse, string | undefined>();
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

  /** Answers all waiting and new requests, and reloads the open pages, or shows the faults over them. */
  function show(now: Shown): void {
    hold();
    isHeld = false;
    shown = now;
    version += 1;
    if ("hosts" in now) {
      isAllowed = createHostCheck(now.hosts);
      good = version;
    }
    answering.resolve(now);
    for (const [stream, of] of streams) update(stream, of);
  }

  /**
   * Tells an open page what has changed since its version.
   * @returns whether its stream stays open
   */
  function update(stream: ServerResponse, pageVersion: string | undefined): boolean {
    if (pageVersion === String(version)) return true;
    const isGood = pageVersion === String(good);
    if (shown && "faults" in shown && isGood) return stream.write(`data: ${JSON.stringify(shown.faults)}\n\n`) || true;
    stream.end("data: reload\n\n");
    return false;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path, query] = (request.url ?? "").split("?");
    if ((path === scriptPath || path === eventsPath) && refuses(request, response)) return;
    if (path === scriptPath) return void response.setHeader("Content-Type", "text/javascript").end(reloadScript);
    if (path === eventsPath) return openStream(query, response);
    const now = await answering.promise;
    if (response.destroyed) return;
    if ("faults" in now) return refuses(request, response) ? undefined : sendFaults(now.faults, request, response);
    const forwarding = forward(now.port, request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else sendFaults([endedEarly], request, response);
    });
    forwarded.add(forwarding);
    await forwarding;
    forwarded.delete(forwarding);
  }

  function openStream(query: string | undefined, response: ServerResponse) {
    setCachePolicy(response, "page");
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(`retry: ${retry}\n\n`);
    if (!update(response, query)) return;
    streams.set(response, query);
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

  function sendFaults(faults: readonly ShownFault[], { headers }: IncomingMessage, response: ServerResponse) {
    const isPage = headers.accept?.includes("text/html");
    const type = isPage ? "text/html" : "text/plain";
    setCachePolicy(response, "page");
    response.writeHead(500, { "Content-Type": `${type}; charset=utf-8` });
    response.end(isPage ? renderFaults(faults) + scriptTag() : faults.map(({ fault }) => `${fault}\n`).join(""));
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
