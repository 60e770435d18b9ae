import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { IRoute } from "express";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { pathsOf, routesOf } from "../../support/routes-of.ts";
import type { TestApp } from "../../support/test-app.ts";
import { readChunks, startThreadedClient, type ThreadedClient } from "../../support/threaded-client.ts";

/** Called when React starts to render a part of a page, or is about to. */
let onRender = (_html?: string): void => undefined;

// The service with a React that tells when it renders.
vi.doMock("react-dom/server", async (importOriginal) => {
  const react = await importOriginal<typeof import("react-dom/server")>();
  const watched =
    (render: typeof react.renderToString): typeof render =>
    (...given) => {
      const html = render(...given);
      onRender(html);
      return html;
    };
  const renderToPipeableStream: typeof react.renderToPipeableStream = (...given) => {
    onRender();
    return react.renderToPipeableStream(...given);
  };
  const renderToString = watched(react.renderToString);
  return {
    ...react,
    renderToPipeableStream,
    renderToString,
    renderToStaticMarkup: watched(react.renderToStaticMarkup),
  };
});
vi.resetModules();
const { createTestApp } = await import("../../support/test-app.ts");
const { closeTestStores } = await import("../../support/test-store.ts");

const changes = { demo: true, overview: true, outbox: true };
const mails = { find: async () => undefined, send: async () => undefined, close: () => undefined };
const openDemo = (renderCache: boolean) => createTestApp({ ...changes, renderCache, openMailTransport: () => mails });
const { app } = await openDemo(true);

/** Paths that are no pages: calls, files, fragments, health checks, well-known places and an email. */
const noPage = /^\/(service|assets|fragments|livez|readyz|\.well-known|openapi\/:service\.json|outbox\/:mail\/html)/;
const parameters: Record<string, string> = { ":service": "login", ":widget": "text-input" };

/** The addresses of all pages: those of routes, the demo's other pages, and pages with a message. */
const pages = [
  ...[...new Set(routesOf(app.router).filter(answersGet).flatMap(pathsOf))]
    .filter((path) => !noPage.test(path))
    .map(addressOf),
  ...["/category/coffee", "/nowhere", "/login?site=XX", "/newsletter/confirm?token=a", "/preview?share=a"],
].flatMap((path) => (path === "/" ? [`localhost${path}`, `de.localhost${path}`] : [`de.localhost${path}`]));

let client: ThreadedClient;

beforeAll(() => {
  client = startThreadedClient();
});

afterAll(async () => {
  await client.close();
  await closeTestStores();
  vi.doUnmock("react-dom/server");
  vi.resetModules();
});

describe.each([
  ["renders everything", false, 1],
  ["keeps what it has rendered", true, 2],
])("a service that %s", (_name, renderCache, visits) => {
  let service: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    service = await serve(await openDemo(renderCache));
  });
  afterAll(() => service.close());

  it.each(pages)(
    "sends the head of a page before it renders the rest, in a chunk and a packet of its own: %s",
    async (page) => {
      for (let visit = 0; visit < visits; visit += 1) {
        const { packets, late } = await service.get(page);
        const [first = "", ...rest] = readChunks(Buffer.concat(packets));
        expect(late).toEqual([]);
        expect(first).toMatch(/^<!DOCTYPE html><html .*<link rel="stylesheet" .*<\/head><body [^>]*>$/s);
        expect(rest.join("")).toMatch(/<main .*<\/body><\/html>$/s);
        expect(readChunks(packets[0] ?? Buffer.alloc(0))).toEqual([first]);
      }
    },
  );
});

/** Serves an app, and records what it renders or writes before the client has the first chunk. */
async function serve({ app }: TestApp) {
  let late: string[] = [];
  const check = (what: string) => {
    // Once is enough, because each takes seconds.
    if (late.length === 0 && !client.awaitFirstChunk()) late.push(what);
  };
  const listener: RequestListener = (request, response) => {
    const write = response.write.bind(response);
    onRender = (html) => {
      if (!html?.startsWith("<html")) check(`renders ${html?.slice(0, 80) ?? "content"}`);
    };
    let isFirst = true;
    Object.assign(response, {
      write(...given: Parameters<typeof write>) {
        if (!isFirst) check("writes content");
        isFirst = false;
        return write(...given);
      },
    });
    app(request, response);
  };
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    async get(page: string) {
      late = [];
      const [host, ...path] = page.split("/");
      const headers = [`Host: ${host}`, "Accept: text/html", "Connection: close"];
      const packets = await client.send(port, [`GET /${path.join("/")} HTTP/1.1`, ...headers, "", ""].join("\r\n"));
      return { packets, late };
    },
    close() {
      onRender = () => undefined;
      server.close();
    },
  };
}

function answersGet({ stack }: IRoute): boolean {
  return stack.some(({ method }) => method === "get");
}

/** Returns an address of a route, without optional parts and with a name for each parameter. */
function addressOf(path: string): string {
  return path.replaceAll(/\{.*?\}/g, "").replaceAll(/:\w+/g, (name) => parameters[name] ?? `no value for ${name}`);
}
