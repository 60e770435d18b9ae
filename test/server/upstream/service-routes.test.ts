import { once } from "node:events";
import { request as httpRequest, type RequestListener, type RequestOptions } from "node:http";
import { text } from "node:stream/consumers";
import express, { type Express } from "express";
import request from "supertest";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { hour } from "../../../client/rules/time.ts";
import { createLoginUpstream } from "../../../server/features/login/upstream.ts";
import { createNewsletterUpstream } from "../../../server/features/newsletter/upstream.ts";
import { serviceRoutes } from "../../../server/upstream/service-routes.ts";
import { createUpstreamHealthLog } from "../../../server/upstream/upstream.ts";
import { answerRightly } from "../../support/answer-rightly.ts";
import { passTime } from "../../support/pass-time.ts";
import { breakOff, drip, flood, hang, json, type Stub, serve, startStub, status } from "../../support/start-stub.ts";
import { createTestApp, siteOf, testLogger } from "../../support/test-app.ts";

/** A call that the schemas of answers don't describe. */
const path = "/service/promotion/api/campaigns/7";
/** The headers with which the shop's own scripts change something. */
const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };

/** The real app in front of a stub. */
async function forwardTo(stub: Stub, changes: Parameters<typeof createTestApp>[0] = {}) {
  return createTestApp({
    upstreams: {
      abtest: stub.url,
      promotion: stub.url,
      newsletter: stub.url,
      customer: stub.url,
      login: stub.url,
      preview: stub.url,
    },
    ...changes,
  });
}

/** The forwarder alone, with a deadline that tests can reach. */
async function forwardShortly(stub: Stub, deadline = 4_000) {
  const { deps, logs } = await createTestApp();
  const upstream = { ...stub, outage: createUpstreamHealthLog("promotion", testLogger) };
  const paths = [{ path: "/service/promotion", deadline }];
  const context = { logger: testLogger, originalAddressOf: () => undefined, siteOf: deps.siteOf };
  const upstreams = { all: new Set([upstream]), of: () => upstream };
  const services = [{ name: "promotion", paths, upstreams, routes: [] }];
  const app = express().use(serviceRoutes(services, context, (_request, _response, next) => next()));
  return { app, logs: () => logs.filter(({ msg }) => msg === "upstream failed") };
}

/** Creates a forwarder whose upstream has failed five times, and is about to be probed. */
async function forwardToFailed() {
  const stub = await startStub(breakOff);
  const { app } = await forwardShortly(stub);
  for (let call = 0; call < 5; call++) await request(app).get(path);
  passTime(5_000);
  return { app, stub };
}

/** Begins a request that can be written bit by bit, and so goes out in chunks. */
async function begin(app: Express, options: RequestOptions) {
  return httpRequest({ host: "127.0.0.1", port: await serve(app), agent: false, ...options });
}

/** Sends a body in chunks. */
async function sendChunked(app: Express, method: string, body: string) {
  const client = await begin(app, { method, path, headers: { ...own, "Transfer-Encoding": "chunked" } });
  const [response] = await once(client.end(body), "response");
  return { status: response.statusCode, text: await text(response) };
}

describe("a forwarded call", () => {
  it("keeps method, path, query and site, and the bytes of the answer", async () => {
    const url = "/service/abtestfrontend/api/v1/getassignment?time=2026-12-24T00%3A00%3A00Z";
    const stub = await startStub(json('{"a":1}'));
    const { app } = await forwardTo(stub);
    expect((await request(app).get(url).set("X-Site", "DE").expect(200)).text).toBe('{"a":1}');
    await request(app)
      .head(url)
      .expect(200)
      .expect("Content-Type", /^application\/json/);
    expect(stub.requests[0]).toMatchObject({ method: "GET", url, headers: { "x-site": "DE" } });
    expect(stub.requests[1]?.method).toBe("HEAD");
  });

  it.each([200, 204, 302, 304, 401, 404, 429])("passes the status %i on", async (code) => {
    const stub = await startStub((_request, response) => {
      response.writeHead(code, { Location: "/elsewhere", "Retry-After": "7", ETag: '"1"' }).end();
    });
    const { app } = await forwardTo(stub);
    const response = await request(app).get(path).redirects(0);
    expect(response.status).toBe(code);
    expect(response.headers).toMatchObject({ location: "/elsewhere", "retry-after": "7", etag: '"1"' });
    expect(stub.requests).toHaveLength(1);
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"])("passes the body of %s on, however it is sent", async (method) => {
    const stub = await startStub(async (received, response) => {
      response.end(`${received.method} ${await text(received)}`);
    });
    const { app } = await forwardTo(stub);
    const send = async (body?: string) => {
      const headers = { ...own, ...(body && { "Content-Length": body.length }) };
      const [response] = await once((await begin(app, { method, path, headers })).end(body), "response");
      return text(response);
    };
    expect(await send('{"a": 1}')).toBe(`${method} {"a": 1}`);
    expect(await send()).toBe(`${method} `);
    expect((await sendChunked(app, method, '{"a": 1}')).text).toBe(`${method} {"a": 1}`);
  });

  it("carries the client's address, protocol and host, which only a trusted proxy may set", async () => {
    const stub = await startStub(json("{}"));
    const claims = {
      "X-Forwarded-For": "203.0.113.9",
      "X-Forwarded-Proto": "https",
      "X-Forwarded-Host": "tr.localhost",
    };
    const ask = async (trustProxy: string[]) => {
      const { app } = await forwardTo(stub, { trustProxy });
      await request(app)
        .get(path)
        .set({ Host: "de.localhost:3000", Forwarded: "for=203.0.113.9", ...claims });
      return stub.requests.at(-1)?.headers;
    };
    const seen = await ask([]);
    expect(seen?.["x-forwarded-for"]).toMatch(/127\.0\.0\.1$/);
    expect(seen).toMatchObject({ "x-forwarded-proto": "http", "x-forwarded-host": "de.localhost:3000" });
    expect(seen?.host).toBe(new URL(stub.origin).host);
    expect(seen).not.toHaveProperty("forwarded");
    expect(await ask(["127.0.0.0/8", "::ffff:127.0.0.0/104", "::1"])).toMatchObject({
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "tr.localhost",
    });
    claims["X-Forwarded-Proto"] = "CLASSIC";
    expect(await ask(["127.0.0.0/8", "::1"])).toMatchObject({ "x-forwarded-proto": "http" });
  });

  it.each([
    "/service/promotion/%2e%2e/login",
    "/service/promotion/..\\..\\admin",
    "/service/promotion/x%2f%2e.%5cadmin",
    "/service/promotion/..;/..;/secret",
    "/service/promotion/x/.;v=1/secret",
    "/service/promotion/..%3Bx%2fsecret",
    "/service/promotion/..%252fsecret",
    "/service/promotion/%%32%65%25252e%2525%32%66secret",
    `/service/promotion/%${"25".repeat(20)}2e.`,
  ])("never leaves its path: %s", async (url) => {
    const stub = await startStub(json("{}"));
    const { app } = await forwardTo(stub);
    const [response] = await once((await begin(app, { path: url })).end(), "response");
    response.resume();
    expect(response.statusCode).toBe(404);
    expect(stub.requests).toHaveLength(0);
  });
});

it.each(["TRACE", "PROPFIND", "PURGE"])("the method %s is 405, and isn't forwarded", async (method) => {
  const stub = await startStub(json("{}"));
  const { app } = await forwardTo(stub);
  const [response] = await once((await begin(app, { method, path, headers: own })).end(), "response");
  const allow = "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE";
  expect([response.statusCode, response.headers.allow]).toEqual([405, allow]);
  expect(await text(response)).toContain("METHOD_NOT_ALLOWED");
  expect(stub.requests).toHaveLength(0);
});

describe("an upstream whose address has a path", () => {
  it.each(["/login-service", "/login-service/"])("gets its calls below that path: %s", async (basePath) => {
    const stub = await startStub(answerRightly);
    stub.url += basePath;
    const { app } = await forwardTo(stub);
    stub.requests.length = 0;
    const caller = { ip: undefined, secure: false, host: "shop.example", cookies: {} };
    await request(app).get(`${path}?a=b/../c`).expect(200);
    await createLoginUpstream(stub, testLogger).login({ email: "ada@shop.example", password: "x" }, caller);
    await createNewsletterUpstream(stub).read("t".repeat(32), { site: siteOf("DE"), address: undefined });
    expect(stub.requests.map(({ url }) => url)).toEqual([
      `/login-service${path}?a=b/../c`,
      "/login-service/service/login/api/v1/login",
      `/login-service/service/newsletter/api/internal/newsletter-subscribers/${"t".repeat(32)}`,
    ]);
    expect(stub.requests.at(-1)?.headers.origin).toBe(stub.origin);
  });
});

describe("an upstream that fails", () => {
  it.each<[string, RequestListener, string, number?]>([
    ["hangs", hang, "no answer within 200 ms", 200],
    ["drips", drip, "no answer within 200 ms", 200],
    ["sends too much", flood, "answer larger than 1048576 bytes"],
    ["breaks off", breakOff, "no answer (UND_ERR_SOCKET)"],
    ["talks nonsense", (received) => void received.socket.end("nonsense"), "no answer (HTTPParserError)"],
  ])("as it %s is 503 in JSON, with one log line", async (_how, answer, reason, deadline = 4_000) => {
    const stub = await startStub(answer);
    const { app, logs } = await forwardShortly(stub, deadline);
    const response = await request(app).get(`${path}?email=a@b.example`);
    expect(response.status).toBe(503);
    expect(response.body).toEqual({ type: "UNAVAILABLE", title: expect.stringMatching(/\w/), status: 503 });
    expect(logs()).toEqual([
      {
        level: 40,
        time: expect.any(String),
        upstream: "promotion",
        reason,
        msg: "upstream failed",
      },
    ]);
  });

  it("five times in a row isn't asked for 5 s, then once: an answer ends that, another failure starts it again", async () => {
    const stub = await startStub(breakOff);
    const { app, logs } = await forwardShortly(stub);
    // A POST isn't repeated, so that the calls can be counted.
    const ask = async () => (await request(app).post(path).set(own)).status;
    const down = async () => (await stub.metrics.upstreamsDown.get()).values[0]?.value;

    for (let call = 0; call < 8; call++) expect(await ask()).toBe(503);
    expect(stub.requests).toHaveLength(5);
    // A clock that is set back must not extend anything.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 2 * hour });
    onTestFinished(() => void vi.useRealTimers());
    expect(logs()).toHaveLength(1);
    expect(await down()).toBe(1);

    passTime(5_000);
    expect(await ask()).toBe(503);
    expect(await ask()).toBe(503);
    expect(stub.requests).toHaveLength(6);

    stub.answer = status(200);
    expect(await ask()).toBe(503);
    passTime(5_000);
    expect(await ask()).toBe(200);
    expect(await ask()).toBe(200);
    expect(await down()).toBe(0);
  });

  it("recovers after a probe that timed out", async () => {
    const stub = await startStub(breakOff);
    const { app } = await forwardShortly(stub, 30_000);
    for (let call = 0; call < 5; call++) await request(app).post(path).set(own);
    passTime(5_000);
    stub.answer = hang;
    const tried = performance.now();
    expect((await request(app).post(path).set(own)).status).toBe(503);
    // With the 5 s of rest, that is less than 10 s.
    expect(performance.now() - tried).toBeLessThan(4_900);
  });

  it("and is tried again lets nobody else wait for the outcome", async () => {
    const { app, stub } = await forwardToFailed();
    const tried = Promise.withResolvers<() => void>();
    stub.answer = (_request, response) => tried.resolve(() => response.end());
    const first = request(app)
      .get(path)
      .then((response) => response.status);
    const answer = await tried.promise;
    expect((await request(app).get(path)).status).toBe(503);
    answer();
    expect(await first).toBe(200);
  });
});

describe("a client", () => {
  it("that sends too much gets 413 before all of it has arrived, and that isn't the upstream's fault", async () => {
    const stub = await startStub(async (received, response) => {
      await text(received).catch(() => undefined);
      response.end();
    });
    const { app, logs } = await forwardTo(stub);
    const tooMuch = "a".repeat(64 * 1024 + 1);
    for (let call = 0; call < 6; call++) {
      const announced = await request(app).post(path).set(own).type("text").send(tooMuch);
      expect([announced.status, announced.body.type]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
      const client = await begin(app, { path, method: "POST", headers: { ...own, "Transfer-Encoding": "chunked" } });
      client.write(tooMuch);
      const [response] = await once(client, "response");
      expect(response.statusCode).toBe(413);
      client.destroy();
    }
    expect((await request(app).post(path).set(own).type("text").send(tooMuch.slice(1))).status).toBe(200);
    await vi.waitFor(() =>
      expect(logs.map(({ msg, status }) => [msg, status])).toEqual([
        ...Array.from({ length: 12 }, () => ["request", 413]),
        ["request", 200],
      ]),
    );
  });

  it("that never completes its body isn't forwarded, and that isn't the upstream's fault", async () => {
    const stub = await startStub(status(200));
    const { app, logs } = await forwardTo(stub);
    for (let call = 0; call < 6; call++) {
      const headers = { ...own, "Content-Length": "40", Expect: "100-continue" };
      const client = await begin(app, { path, method: "POST", headers });
      client.on("error", () => undefined);
      await once(client, "continue");
      client.destroy();
      await vi.waitFor(() => expect(logs.filter(({ msg }) => msg === "request")).toHaveLength(call + 1));
    }
    expect(stub.requests).toHaveLength(0);
    expect((await request(app).post(path).set(own).send({})).status).toBe(200);
    expect(logs.filter(({ msg }) => msg !== "request")).toEqual([]);
  });

  it("that leaves ends the call, and that isn't the upstream's fault", async () => {
    const arrived = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const stub = await startStub((_received, response) => {
      response.on("close", () => ended.resolve());
      arrived.resolve();
    });
    const { app, logs } = await forwardTo(stub);
    const client = await begin(app, { path });
    client.on("error", () => undefined);
    client.end();
    await arrived.promise;
    client.destroy();
    await ended.promise;
    await vi.waitFor(() => expect(logs.filter(({ msg }) => msg === "request")).toHaveLength(1));
    expect(logs.filter(({ msg }) => msg !== "request")).toEqual([]);
  });

  it("that leaves, or sends too much, doesn't keep an upstream down that is back", async () => {
    const { app, stub } = await forwardToFailed();
    expect((await sendChunked(app, "POST", "a".repeat(64 * 1024 + 1))).status).toBe(413);

    const tried = Promise.withResolvers<() => void>();
    stub.answer = (_request, response) => tried.resolve(() => response.end());
    const left = Promise.withResolvers<void>();
    const watched = express().use((_request, response, next) => {
      response.on("close", () => left.resolve());
      next();
    }, app);
    const client = await begin(watched, { path });
    client.on("error", () => undefined);
    client.end();
    const answer = await tried.promise;
    client.destroy();
    await left.promise;
    stub.answer = status(200);
    answer();
    await vi.waitFor(async () => expect((await request(app).get(path)).status).toBe(200));
  });

  it("that asks for an answer that is too large doesn't make the upstream count as down", async () => {
    const stub = await startStub(flood);
    const { app } = await forwardShortly(stub);
    for (let call = 0; call < 6; call++) expect((await request(app).get(path)).status).toBe(503);
    stub.answer = status(200);
    expect((await request(app).get(path)).status).toBe(200);
  });
});
