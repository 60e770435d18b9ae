import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Express } from "express";
import helmet from "helmet";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { storefront } from "../../../packages/client/express.ts";
import { createFragments, type FragmentsOptions, type Outage } from "../../../packages/client/index.ts";
import { type EdgeService, startService } from "../../edge/start-service.ts";

let service: EdgeService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

async function listen(listener: RequestListener, port = 0) {
  const server = createServer(listener).listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = () => server.close().closeAllConnections();
  onTestFinished(() => void close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Starts a page's server, with the list of its outages. */
async function startHost(target: string, options: Partial<FragmentsOptions> = {}, before: Express = express()) {
  const outages: Outage[] = [];
  const fragments = createFragments({ service: target, onOutage: (outage) => outages.push(outage), ...options });
  const app = before
    .use(helmet(), storefront(fragments, { site: "DE" }))
    .use((_request, response) => void response.send("the host's page"));
  return { ...(await listen(app)), outages };
}

/** A request as the service got it. */
interface Got {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Starts a stand-in service that keeps what it gets, and answers every request in a way. */
async function startRecorder(answer: RequestListener = (_request, response) => response.end("done"), port?: number) {
  const got: Got[] = [];
  const server = await listen(async (request, response) => {
    if (request.url?.startsWith("/fragments/")) return void response.writeHead(404).end();
    let body = "";
    for await (const piece of request) body += piece;
    const { method, url, headers } = request;
    got.push({ method, url, headers, body });
    answer(request, response);
  }, port);
  return { ...server, got };
}

/** Sends a request with headers that `fetch` doesn't take. */
async function ask(origin: string, path: string, headers: Record<string, string>, method = "GET", body?: string) {
  const request = send(origin + path, { method, headers, path }).end(body);
  const [response]: IncomingMessage[] = await once(request, "response");
  if (!response) throw new Error("no response");
  let text = "";
  for await (const piece of response.setEncoding("utf8")) text += piece;
  return { status: response.statusCode, headers: response.headers, text };
}

it("brings the service's own pages, with their policy, for the site of the host", async () => {
  const { origin, outages } = await startHost(service.origin);
  const login = await ask(origin, "/login", { Host: "pl.localhost:3000" });
  const itself = await ask(service.origin, "/login", { Host: "pl.localhost:3000" });
  expect(login.text).toMatch(/<html[^>]* lang="pl-PL"/);
  const withoutNonces = (policy: unknown) => String(policy).replaceAll(/nonce-[^']+/g, "");
  const policyName = "content-security-policy";
  expect(withoutNonces(login.headers[policyName])).toBe(withoutNonces(itself.headers[policyName]));
  expect(outages).toEqual([]);
});

it("keeps all cookies, and passes redirects on", async () => {
  const recorder = await startRecorder((_request, response) => {
    response.writeHead(303, { "Set-Cookie": ["a=1; Path=/", "b=2; HttpOnly"], Location: "/login?error=1" }).end();
  });
  const before = express().use((_request, response, next) => {
    response.cookie("own", "0");
    next();
  });
  const { origin } = await startHost(recorder.origin, {}, before);
  const { status, headers } = await ask(origin, "/login", {}, "POST");
  expect([status, headers.location]).toEqual([303, "/login?error=1"]);
  expect(headers["set-cookie"]).toEqual(["own=0; Path=/", "a=1; Path=/", "b=2; HttpOnly"]);
  // That of helmet is for the host's pages.
  expect(headers).not.toHaveProperty("content-security-policy");
  expect(recorder.got).toHaveLength(1);
});

it("forwards the service's paths alone", async () => {
  const recorder = await startRecorder();
  const { origin } = await startHost(recorder.origin);
  const own = ["/", "/service/privacy", "/login/", "/assets/../admin", "/assets/%2e%2e/admin", "//evil.example/login"];
  for (const path of own) expect((await ask(origin, path, {})).text, path).toBe("the host's page");
  expect(recorder.got).toEqual([]);
  const routed = ["/login?redirect=/a", "/service/newsletter/api/x", "/newsletter", "/preview", "/assets/none.txt?a=1"];
  for (const path of routed) expect((await ask(origin, path, {})).text, path).toBe("done");
  expect([...new Set(recorder.got.map(({ url }) => url))]).toEqual(routed);
});

it("says where a request comes from, and passes nothing on that belongs to the connection", async () => {
  const recorder = await startRecorder();
  const claims = {
    Host: "de.shop.example",
    "X-Forwarded-For": "203.0.113.7",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "pl.shop.example",
    Forwarded: "host=evil.example",
    Connection: "keep-alive, X-Own, Content-Length",
    "X-Own": "1",
    "Keep-Alive": "timeout=5",
    TE: "trailers",
    "Proxy-Authorization": "Basic eDp5",
  };
  const untrusting = await startHost(recorder.origin);
  await ask(untrusting.origin, "/login", claims);
  const trusting = await startHost(recorder.origin, {}, express().set("trust proxy", "loopback"));
  await ask(trusting.origin, "/login", claims);
  const [plain, trusted] = recorder.got.map(({ headers }) => headers);
  const passed = { host: "de.shop.example", "x-forwarded-for": "203.0.113.7, 127.0.0.1" };
  expect(plain).toMatchObject({ ...passed, "x-forwarded-proto": "http", "x-forwarded-host": "de.shop.example" });
  expect(trusted).toMatchObject({ ...passed, "x-forwarded-proto": "https", "x-forwarded-host": "pl.shop.example" });
  for (const name of ["forwarded", "x-own", "keep-alive", "te", "proxy-authorization"])
    expect(plain, name).not.toHaveProperty(name);
});

it("frames a body by its own length, whatever the request's Connection names", async () => {
  const recorder = await startRecorder();
  const { origin } = await startHost(recorder.origin);
  const smuggled = "GET /admin HTTP/1.1\r\nHost: x\r\n\r\n";
  const length = { Connection: "content-length", "Content-Length": String(smuggled.length) };
  await ask(origin, "/login", length, "DELETE", smuggled);
  await ask(origin, "/login", { "Transfer-Encoding": "chunked" }, "GET", smuggled);
  expect(recorder.got.map(({ url, body }) => [url, body])).toEqual([
    ["/login", smuggled],
    ["/login", smuggled],
  ]);
});

it.each([
  ["application/json", '{"a":["ü",1]}', '{"a":["ü",1]}'],
  ["application/x-www-form-urlencoded", "a=%C3%BC&a=2&b=x+y", "a=%C3%BC&a=2&b=x+y"],
  ["text/plain", "ü", "ü"],
  ["application/octet-stream", "ü", "ü"],
])("forwards %s after a body parser, too", async (type, body, expected) => {
  const recorder = await startRecorder();
  const raw = express.raw({ type: "application/octet-stream" });
  const parsing = express().use(express.json(), express.urlencoded({ extended: true }), express.text(), raw);
  for (const before of [express(), parsing]) {
    const { origin } = await startHost(recorder.origin, {}, before);
    const answer = await fetch(`${origin}/login`, { method: "POST", headers: { "Content-Type": type }, body });
    expect(await answer.text()).toBe("done");
    expect(recorder.got.at(-1)).toMatchObject({ method: "POST", body: expected });
  }
});

it("refuses a body that has been read and can't be restored, and names the cause", async () => {
  const recorder = await startRecorder();
  const reading = express().use((request, _response, next) => void request.on("end", next).resume());
  const { origin } = await startHost(recorder.origin, {}, reading);
  const answer = await fetch(`${origin}/login`, { method: "POST", body: "a" });
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain("use storefront() before the middleware that reads it");
  expect(recorder.got).toEqual([]);
});

it("streams both ways", async () => {
  const arrived = Promise.withResolvers<IncomingMessage>();
  const target = await listen((request, response) => {
    if (request.method !== "POST") return void response.writeHead(404).end();
    request.once("data", () => {
      arrived.resolve(request);
      response.write("first");
      request.once("data", () => response.end(" second"));
    });
  });
  const { origin } = await startHost(target.origin);
  const request = send(`${origin}/login`, { method: "POST" });
  request.write("one");
  await arrived.promise;
  const [response]: IncomingMessage[] = await once(request, "response");
  if (!response) throw new Error("no response");
  const [first] = await once(response.setEncoding("utf8"), "data");
  expect(first).toBe("first");
  request.end("two");
  const [second] = await once(response, "data");
  expect(second).toBe(" second");
});

it("ends a call whose visitor has left", async () => {
  const left = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const target = await listen((request, response) => {
    if (request.url !== "/login") return void response.writeHead(404).end();
    response.once("close", left.resolve);
    begun.resolve();
  });
  const { origin, outages } = await startHost(target.origin, { deadline: 60_000 });
  const request = send(`${origin}/login`).on("error", () => undefined);
  request.end();
  await begun.promise;
  request.destroy();
  await left.promise;
  expect(outages).toEqual([]);
});

it("answers by itself while the service can't, and reports one outage until it is over", async () => {
  const recorder = await startRecorder();
  const { origin, outages } = await startHost(recorder.origin);
  const get = () => fetch(`${origin}/login`);
  expect((await get()).status).toBe(200);
  recorder.close();
  const failed = [await get(), await get(), await fetch(`${origin}/newsletter`, { method: "POST", body: "a=b" })];
  for (const answer of failed) {
    expect(answer.status).toBe(502);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect((await answer.text()).length).toBeLessThan(100);
  }
  expect(outages).toMatchObject([{ fragment: "forwarding", site: "DE", over: false }]);
  expect(outages[0]?.reason).toContain("ECONNREFUSED");
  await startRecorder(undefined, Number(new URL(recorder.origin).port));
  expect((await get()).status).toBe(200);
  expect(outages).toMatchObject([{ over: false }, { fragment: "forwarding", over: true }]);
});

it("waits for ten deadlines, and takes a megabyte", async () => {
  const target = await listen((request, response) => {
    if (request.url === "/login") request.resume();
    else response.writeHead(404).end();
  });
  const { origin, outages } = await startHost(target.origin, { deadline: 20 });
  expect((await fetch(`${origin}/login`)).status).toBe(504);
  expect(outages).toMatchObject([{ fragment: "forwarding", reason: "no answer within 200 ms" }]);
  const large = "a".repeat(1_000_001);
  for (const framing of [{ "Content-Length": String(large.length) }, { "Transfer-Encoding": "chunked" }])
    expect((await ask(origin, "/login", framing, "POST", large)).status).toBe(413);
});

it("breaks off for the visitor what the service has broken off", async () => {
  const target = await listen((request, response) => {
    if (request.url !== "/login") return void response.writeHead(404).end();
    response.writeHead(200, { "Content-Length": 100 });
    response.write("half", () => response.destroy());
  });
  const { origin } = await startHost(target.origin);
  await expect(fetch(`${origin}/login`).then((answer) => answer.text())).rejects.toThrow();
});

it("asks again if the service has closed a connection that was kept", async () => {
  const recorder = await startRecorder((request, response) => {
    response.end("done", () => request.socket.once("data", () => request.socket.destroy()));
  });
  const { origin, outages } = await startHost(recorder.origin);
  for (let time = 0; time < 3; time++) expect(await (await fetch(`${origin}/login`)).text()).toBe("done");
  expect(outages).toEqual([]);
});
