import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import onHeaders from "on-headers";
import { second } from "../../client/rules/time.ts";
import { createTestApp, type TestApp, type TestChanges } from "../support/test-app.ts";

export type FragmentFault = "takes no connections" | "hangs" | "stalls" | "cuts the body" | "answers 500 with a page";

export interface EdgeService extends Pick<TestApp, "app" | "deps"> {
  origin: string;
  /** Lets it fail in a way from now on; undefined mends it. */
  fail(name: FragmentFault | undefined): Promise<void>;
  close(): Promise<void>;
  /** What the service itself has been asked for so far, but for its readiness. */
  asked: { url: string; headers: IncomingHttpHeaders }[];
  /** Lets fragments wait from now on. The function that it gives lets all go on. */
  hold(): () => void;
  /** Asks the service itself. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
}

/**
 * In the query of a fragment, lets its copies be good for a second, and for a minute where the service fails.
 * @param whileRevalidating - how many seconds they may be shown while a new one is fetched
 */
export const briefly = (whileRevalidating: number) => `brief=${whileRevalidating}`;

/** Starts the real service behind what lets its fragments fail. It believes the edges of this machine. */
export async function startService(changes: TestChanges = {}): Promise<EdgeService> {
  const { app, deps } = await createTestApp({ trustProxy: ["loopback"], ...changes });
  const asked: EdgeService["asked"] = [];
  let held = Promise.resolve();
  const well: RequestListener = async (request, response) => {
    const { url = "", headers } = request;
    if (url !== "/readyz") asked.push({ url, headers });
    const [, lifetime] = /\bbrief=(\d+)/.exec(url) ?? [];
    const cacheControl = `public, s-maxage=1, stale-while-revalidate=${lifetime}, stale-if-error=60`;
    if (lifetime) onHeaders(response, () => response.setHeader("Cache-Control", cacheControl));
    if (isFragment(request)) await held;
    app(request, response);
  };
  const html = { "Content-Type": "text/html; charset=utf-8" };
  /** Fails on fragments alone: readiness says nothing of such a fault. */
  const onFragments =
    (fault: RequestListener): RequestListener =>
    (request, response) =>
      isFragment(request) ? fault(request, response) : well(request, response);
  const begun = (after: (response: Parameters<RequestListener>[1]) => void) =>
    onFragments((_request, response) => {
      response.writeHead(200, { ...html, "Cache-Control": "public, max-age=60", "Content-Length": 30_000 });
      response.write(`<footer data-fragment="footer">${"half ".repeat(1000)}`, () => after(response));
    });
  const server = await startFaultyServer(well, {
    "takes no connections": undefined,
    hangs: onFragments(() => undefined),
    stalls: begun(() => undefined),
    "cuts the body": begun((response) => response.destroy()),
    "answers 500 with a page": onFragments(
      (_request, response) => void response.writeHead(500, html).end("<h1>Internal error</h1>"),
    ),
  });
  return {
    ...server,
    app,
    deps,
    asked,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    get: (path, headers) => fetch(server.origin + path, { headers: headers ?? {} }),
  };
}

const isFragment = ({ url }: IncomingMessage) => url?.startsWith("/fragments/") ?? false;

/**
 * Starts a server that is well until it is told to fail.
 * @param well - what it answers while it is well
 * @param faults - what it answers otherwise; undefined where it takes no connections
 */
async function startFaultyServer(
  well: RequestListener,
  faults: Record<FragmentFault, RequestListener | undefined>,
): Promise<Pick<EdgeService, "origin" | "fail" | "close">> {
  let answer = well;
  const server = createServer({ keepAliveTimeout: second }, (request, response) => answer(request, response));
  const port = await listen(0);
  return {
    origin: `http://127.0.0.1:${port}`,
    async fail(name) {
      const next = name === undefined ? well : faults[name];
      if (next) answer = next;
      // Calls that hang end here, and so do connections that are kept.
      server.closeAllConnections();
      if (next && !server.listening) await listen(port);
      if (!next) await close();
    },
    close,
  };

  async function listen(wanted: number): Promise<number> {
    server.listen(wanted, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }

  async function close() {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  }
}
