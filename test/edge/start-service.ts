import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import onHeaders from "on-headers";
import { second } from "../../client/rules/time.ts";
import { createEdgeTags } from "../../server/http/edge-tags.ts";
import { createTestApp } from "../support/test-app.ts";

export type FragmentFault = "takes no connections" | "hangs" | "stalls" | "cuts the body" | "answers 500 with a page";

export type EdgeService = Awaited<ReturnType<typeof startService>>;

/**
 * Returns a query parameter with which a fragment's copies are fresh for a second, and usable for a minute if the
 * service fails.
 * @param whileRevalidating - how many seconds they may be shown while a new one is fetched
 */
export const briefly = (whileRevalidating: number) => `brief=${whileRevalidating}`;

/**
 * Returns a query parameter with which a fragment has its tags, and one more, in another header, as with
 * `EDGE_TAG_HEADERS`.
 */
export const taggedBy = (header: string) => `tags=${header}`;
export const addedTag = "variant:spring.sale:B";

function moveTags(response: ServerResponse, header: string): void {
  const tags = String(response.getHeader("Surrogate-Key")).split(" ");
  response.removeHeader("Surrogate-Key");
  response.setHeaders(new Map(Object.entries(createEdgeTags([header]).headersOf([...tags, addedTag]))));
}

/** Starts the real service behind a proxy that can make its fragments fail. It trusts the edges of this machine. */
export async function startService() {
  const { app, deps } = await createTestApp({ demo: true, trustProxy: ["loopback"] });
  const asked: { url: string; headers: IncomingHttpHeaders }[] = [];
  let held = Promise.resolve();
  let fault: RequestListener | undefined;
  const server = createServer({ keepAliveTimeout: second }, async (request, response) => {
    const { url = "", headers } = request;
    const isFragment = url.startsWith("/fragments/");
    // Readiness goes on: a broken service may still say that it is ready.
    if (fault && isFragment) return fault(request, response);
    if (url !== "/readyz") asked.push({ url, headers });
    const [, lifetime] = /\bbrief=(\d+)/.exec(url) ?? [];
    const cacheControl = `public, s-maxage=1, stale-while-revalidate=${lifetime}, stale-if-error=60`;
    if (lifetime) onHeaders(response, () => response.setHeader("Cache-Control", cacheControl));
    const [, header] = /\btags=([\w-]+)/.exec(url) ?? [];
    if (header) onHeaders(response, () => moveTags(response, header));
    if (isFragment) await held;
    app(request, response);
  });
  const listen = async (wanted: number) => {
    server.listen(wanted, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const close = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  const port = await listen(0);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    app,
    deps,
    /** The requests to the service itself so far, except those for its readiness. */
    asked,
    close,
    /** Asks the service itself. */
    get: (path: string, headers: Record<string, string> = {}) => fetch(origin + path, { headers }),
    /** Makes fragments wait from now on. The function that it returns releases them all. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => resolve();
    },
    /** Makes fragments fail in a way from now on; undefined repairs them. */
    async fail(name: FragmentFault | undefined) {
      if (name === "takes no connections") return close();
      fault = name && faults[name];
      // Ends calls that hang, and idle connections.
      server.closeAllConnections();
      if (!server.listening) await listen(port);
    },
  };
}

const html = { "Content-Type": "text/html; charset=utf-8" };

/** Sends half of a fragment. */
const begin = (after: (response: ServerResponse) => void) => (_request: unknown, response: ServerResponse) => {
  response.writeHead(200, { ...html, "Cache-Control": "public, max-age=60", "Content-Length": 30_000 });
  response.write(`<footer data-fragment="footer">${"half ".repeat(1000)}`, () => after(response));
};

const faults: Record<Exclude<FragmentFault, "takes no connections">, RequestListener> = {
  hangs: () => undefined,
  stalls: begin(() => undefined),
  "cuts the body": begin((response) => response.destroy()),
  "answers 500 with a page": (_request, response) => void response.writeHead(500, html).end("<h1>Internal error</h1>"),
};
