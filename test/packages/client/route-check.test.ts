import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Express, type RequestHandler } from "express";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { storefront } from "../../../packages/client/express.ts";
import { createFragments } from "../../../packages/client/index.ts";
import { type EdgeService, startService } from "../../edge/start-service.ts";

let service: EdgeService;
let footer: string;

beforeAll(async () => {
  service = await startService();
  footer = (await (await service.get("/fragments/footer/DE.json")).json()).html;
});
afterAll(() => service?.close());
afterEach(() => void vi.unstubAllEnvs());

async function listen(app: Express): Promise<number> {
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

/** Starts a host that answers every path with its page, and returns what its page has after the footer. */
async function startHost(middleware: RequestHandler[], { forward = true } = {}) {
  const fragments = createFragments({ service: service.origin, deadline: 10_000, onOutage: () => undefined });
  const app: Express = express();
  for (const handler of middleware) app.use(handler);
  app.use(storefront(fragments, { site: "DE", forward }));
  app.use((_request, response) => void response.send(response.locals.storefront.footer));
  const port = await listen(app);
  return async (headers: Record<string, string> = {}) => {
    const page = await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text();
    expect(page.slice(0, footer.length)).toBe(footer);
    return page.slice(footer.length);
  };
}

const pathsIn = (note: string) => [...note.matchAll(/<code>(\/[^<]+)/g)].map(([, path]) => path);
const ownLogin: RequestHandler = (request, response, next) =>
  request.path === "/login" ? void response.send("the host's login") : next();

it("says in the page which paths don't reach the service, and how they would", async () => {
  const noteOf = await startHost([ownLogin]);
  const note = await noteOf();
  expect(pathsIn(note)).toEqual(["/login"]);
  expect(note).toContain("storefront()");
  for (const again of await Promise.all([noteOf(), noteOf()])) expect(again).toBe(note);
});

it("names all of them where nothing is forwarded", async () => {
  const noteOf = await startHost([], { forward: false });
  const paths = pathsIn(await noteOf());
  // The middleware answers for files by itself only while it forwards.
  expect(paths).toEqual(expect.arrayContaining(["/assets/", "/service/newsletter/api/", "/newsletter", "/preview"]));
  expect(paths).not.toContain("/fragments/");
});

it("says nothing where everything is forwarded, and then asks no more", async () => {
  const noteOf = await startHost([]);
  expect(await noteOf()).toBe("");
  const asked = () => service.asked.filter(({ url }) => url === "/login").length;
  const before = asked();
  expect(before).toBeGreaterThan(0);
  expect(await noteOf()).toBe("");
  expect(asked()).toBe(before);
});

it("says nothing in production, on other machines' names and behind a proxy", async () => {
  const noteOf = await startHost([], { forward: false });
  for (const name of ["X-Forwarded-For", "Via"]) expect(await noteOf({ [name]: "127.0.0.1" })).toBe("");
  vi.stubEnv("NODE_ENV", "production");
  expect(await noteOf()).toBe("");
  vi.stubEnv("NODE_ENV", "development");
  const fragments = createFragments({ service: service.origin });
  for (const origin of [
    "http://shop.example:80",
    "http://10.0.0.1",
    "http://localhost.example",
    "https://localhost",
    "x",
  ])
    expect((await fragments.get("footer", "DE", null, { origin })).html, origin).toBe(footer);
  expect(await noteOf()).not.toBe("");
});

it("says nothing where only a proxy answers, or nobody", async () => {
  const down = await listen(express().use((_request, response) => void response.sendStatus(502)));
  for (const origin of [`http://localhost:${down}`, "http://localhost:9"]) {
    const fragments = createFragments({ service: service.origin, deadline: 10_000 });
    expect((await fragments.get("footer", "DE", null, { origin })).html, origin).toBe(footer);
  }
});
