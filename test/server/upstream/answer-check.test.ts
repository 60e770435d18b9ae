import { once } from "node:events";
import type { RequestListener } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { gzipSync } from "node:zlib";
import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLoginUpstream } from "../../../server/features/login/upstream.ts";
import { createNewsletterUpstream } from "../../../server/features/newsletter/upstream.ts";
import { listOperations, readDocument, readSchema } from "../../../server/upstream/service-documents.ts";
import { callerOf, signUpOf } from "../../support/newsletter-test.ts";
import { json, startStub } from "../../support/start-stub.ts";
import { createTestApp, testLogger } from "../../support/test-app.ts";

const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
const unknown = "/service/promotion/api/campaigns/7";

const services = ["abtest", "promotion", "newsletter", "customer", "login", "preview"];
const values: Record<string, string> = { "{api}": "private", "{token}": "t".repeat(32), "{key}": "SHOP_FOOTER" };

/** The documented calls, with a value for each variable part, and their first answer of success. */
const calls = services
  .flatMap((service) => listOperations(readDocument(service)))
  .filter((operation) => !operation["x-embedded-only"])
  .map(({ method, path, responses }) => {
    const [[status, success] = []] = Object.entries(responses);
    const { example } = success?.content?.["application/json"] ?? {};
    return {
      call: `${method} ${path}`,
      method: method.toLowerCase() as "get" | "post" | "put",
      path: path.replaceAll(/\{\w+\}/g, (name) => values[name] ?? ""),
      answer: { status: Number(status), example, cookies: success?.headers?.["Set-Cookie"]?.example ?? [] },
      hasSchema: success !== undefined && readSchema(success) !== undefined,
    };
  });

/** The real app with every service real, and its log about answers that it doesn't forward. */
async function forwardTo(origin: string) {
  const { app, logs } = await createTestApp({ upstreams: Object.fromEntries(services.map((name) => [name, origin])) });
  return { app, faults: () => logs.filter(({ upstream }) => upstream).map(({ reason }) => reason) };
}

/** Starts an upstream that sends these bytes in answer to any request. */
async function startRaw(answer: string | Buffer): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined).once("data", () => socket.end(answer));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering =
  (type: string, body: string | Buffer, headers = {}, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { ...headers, "Content-Type": type }).end(body);
  };
const page = answering("text/html; charset=utf-8", "<!doctype html><title>secret body</title>");
const ofAnotherKind = answering("application/json", '{"email":7,"status":["secret"]}');
const stack = { "X-Debug": "at com.shop", "Set-Cookie": "login=x", "Retry-After": "7" };
const failed = answering("application/json", '{"error":"secret","stack":"secret"}', stack, 500);
/** Its callers know its status 500. */
const renewal = "/service/login/api/v1/logintoken/renew";
const empty: RequestListener = (_request, response) => void response.writeHead(204).end();

it.each(calls)("passes on the documented answer to $call, which may say more", async ({ method, path, answer }) => {
  const { example, cookies, status } = answer;
  const more = Array.isArray(example) ? example : example && Object.assign({ more: {} }, example);
  const body = more === undefined ? "" : JSON.stringify(more);
  const stub = await startStub(answering("application/json", body, { "Set-Cookie": cookies }, status));
  const { app, faults } = await forwardTo(stub.origin);
  const response = await request(app)[method](path).set(own).expect(status);
  expect(response.text).toBe(body);
  expect(faults()).toEqual([]);
});

it.each(calls)(
  "answers 503 to $call in its own words if the answer is a page, of another kind, or that of a service that fails",
  async ({ method, path, hasSchema }) => {
    const stub = await startStub(page);
    const { app, faults } = await forwardTo(stub.origin);
    const wrong = [page, ...(hasSchema ? [ofAnotherKind, answering("application/json", "null"), empty] : [])];
    if (path !== renewal) wrong.push(failed);
    for (const answer of wrong) {
      stub.answer = answer;
      const response = await request(app)[method](path).set(own);
      expect([response.status, response.body.type]).toEqual([503, "UNAVAILABLE"]);
      expect(response.text).not.toContain("secret");
      for (const name of Object.keys(stack)) expect(response.headers).not.toHaveProperty(name.toLowerCase());
    }
    expect(faults()).toEqual([expect.not.stringContaining("secret")]);
  },
);

it.each<[string, RequestListener]>([
  ["a page of a proxy in place of a failed answer", answering("text/html", "secret", {}, 502)],
  ["JSON that breaks off", answering("application/json", '{"status":"ACCEPTED"')],
  ["nonsense", answering("application/json", Buffer.from([0, 255, 17, 3]))],
  ["compressed bytes", answering("application/json", gzipSync("{}"), { "Content-Encoding": "gzip" })],
])("answers 503 to %s, with one line that holds no part of it", async (_what, answer) => {
  const { app, faults } = await forwardTo((await startStub(answer)).origin);
  const response = await request(app).get(unknown);
  expect([response.status, response.body.type]).toEqual([503, "UNAVAILABLE"]);
  expect(faults()).toEqual([expect.stringMatching(/^(answer|status) (?!.*secret)/)]);
});

describe("an answer to a call that nobody knows", () => {
  it.each<[string, RequestListener]>([
    ["bytes", answering("image/png", "png")],
    ["nothing", empty],
    ["JSON that is empty", answering("application/json", "")],
    ["a drawing", answering("image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ])("is passed on: %s", async (_what, answer) => {
    const { app } = await forwardTo((await startStub(answer)).origin);
    expect((await request(app).get(unknown)).ok).toBe(true);
  });
});

describe("headers", () => {
  const head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n";

  it.each([
    ["too many", `${head}${Array.from({ length: 2_000 }, (_, i) => `x-${i}: a\r\n`).join("")}\r\n{}`],
    ["one that is too long", `${head}x-long: ${"a".repeat(20_000)}\r\n\r\n{}`],
    ["a character that can't be passed on", Buffer.from(`${head}x-a: \u0080\u0001\r\n\r\n{}`, "latin1")],
    ["an unknown status", "HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\n{}"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n{}"],
    ["a status beyond all", "HTTP/1.1 999 OK\r\nContent-Length: 2\r\n\r\n{}"],
  ])("that are wrong are 503: %s", async (_what, answer) => {
    const { app, faults } = await forwardTo(await startRaw(answer));
    expect((await request(app).post(unknown).set(own)).status).toBe(503);
    expect(faults()).toHaveLength(1);
  });

  it.each([
    ["", undefined],
    ["json", undefined],
    ["text/plain; charset=utf-7", "text/plain; charset=utf-8"],
    ["application/json; charset=UTF-7", "application/json; charset=utf-8"],
    ['text/csv; header=present; charset="utf-8"', 'text/csv; header=present; charset="utf-8"'],
  ])("name a content type that is one, and a usual charset: %j", async (type, passedOn) => {
    const { app } = await forwardTo((await startStub(answering(type, "{}"))).origin);
    expect((await request(app).get(unknown).expect(200)).headers["content-type"]).toBe(passedOn);
  });
});

describe("a page", () => {
  const accept = { Accept: "text/html,*/*" };
  /** Answers that a browser, or this service, could take for a page. */
  const pages: [string | undefined, string | Buffer][] = [
    ["text/html", "secret"],
    ["Application/XHTML+XML; charset=utf-8", "secret"],
    ["text/plain", " \n<!doctype html>secret"],
    ["application/octet-stream", "\ufeff<html>secret"],
    ["application/problem", Buffer.from("\ufeff<html>secret", "utf16le")],
    [undefined, "<p>secret"],
  ];
  const answeringPage =
    (status: number, type: string | undefined, body: string | Buffer): RequestListener =>
    (_request, response) => {
      response.writeHead(status, { ...(type && { "Content-Type": type }), "Content-Length": body.length }).end(body);
    };

  it.each(pages)("in place of an answer is 503, even for a client that accepts one: %s", async (type, body) => {
    const stub = await startStub(answeringPage(200, type, body.toString() === body ? Buffer.from(body) : body));
    const { app } = await forwardTo(stub.origin);
    const change = `/service/newsletter/api/internal/newsletter-subscribers/${"t".repeat(32)}`;
    for (const asked of [request(app).get(unknown).set(accept), request(app).put(change).set(own)])
      expect((await asked).body, stub.requests.at(-1)?.url).toMatchObject({ type: "UNAVAILABLE", status: 503 });
  });

  it.each(pages)("with another status is left out, and the status passed on: %s", async (type, body) => {
    const stub = await startStub(answeringPage(404, type, body.toString() === body ? Buffer.from(body) : body));
    const { app } = await forwardTo(stub.origin);
    const { headers, text } = await request(app).get(unknown).set(accept).expect(404);
    expect([headers["content-type"], text]).toEqual([undefined, ""]);
  });
});

describe("the cookies of an answer", () => {
  const ofLogin = ["login=x; Path=/", "LoginToken = y", "LongtermToken=z; Max-Age=60; HttpOnly; SameSite=Lax"];
  const ofPreview = ["StaffAuthToken=x", "CobraAuthToken=x", "PreviewContext=x", "preview=true"];
  const others = [
    "=login=x",
    "=StaffAuthToken=x",
    "login",
    "KnownDevice=1",
    "LoginRedirect=/",
    "platform=tablet",
    "ab=1",
  ];
  const paths: Record<string, string> = {
    login: "/service/login/api/v1/x",
    preview: "/service/preview/api/x",
    newsletter: "/service/newsletter/api/private/newsletter-subscribers/x/x",
    customer: "/service/customerfrontenddata/api/v1/x",
    promotion: unknown,
    abtest: "/service/abtestfrontend/api/v1/getassignment",
  };

  it("reach the browser if they are the service's own, and what is dropped is one line for each kind", async () => {
    const cookies = [...ofLogin, ...ofPreview, ...others];
    const stub = await startStub(answering("application/json", "{}", { "Set-Cookie": cookies }));
    const { app, logs } = await createTestApp({
      upstreams: Object.fromEntries(services.map((name) => [name, stub.origin])),
    });
    const expected: Record<string, string[]> = { login: ofLogin, preview: ofPreview };
    for (const [name, path] of Object.entries(paths))
      for (const _again of [1, 2])
        expect((await request(app).get(path).expect(200)).headers["set-cookie"], name).toEqual(expected[name]);
    const lines = logs.filter(({ msg }) => msg === "cookie of an upstream dropped or changed");
    for (const name of Object.keys(paths))
      expect(
        lines
          .filter(({ upstream }) => upstream === name)
          .map(({ reason }) => reason)
          .sort(),
        name,
      ).toEqual(["it has no name", "the service may not set it"]);
    expect(JSON.stringify(lines)).not.toMatch(/[xyz]"/);
  });

  it("are for all pages of this host, also at the form without script", async () => {
    const cookies = [
      "login=x; Domain=.shop.example; Path=/; HttpOnly",
      "LoginToken=y;domain;Path=/service;PATH=/",
      "LongtermToken=z; Path",
    ];
    const stub = await startStub(answering("application/json", "{}", { "Set-Cookie": cookies }));
    const { app } = await forwardTo(stub.origin);
    const passedOn = ["login=x; Path=/; HttpOnly", "LoginToken=y; Path=/", "LongtermToken=z; Path=/"];
    expect((await request(app).get("/service/login/api/v1/x").expect(200)).headers["set-cookie"]).toEqual(passedOn);
    const login = { email: "a@shop.example", password: "x" };
    const form = request(app).post("/login").type("form").set("Sec-Fetch-Site", "same-origin").send(login);
    expect((await form.expect(303)).get("Set-Cookie")).toEqual(expect.arrayContaining(passedOn));
  });
});

describe("the service's own calls", () => {
  const visitor = callerOf("PL", "192.0.2.1");
  const customer = { ip: undefined, secure: true, host: "www.shop.example", cookies: {} };

  it("take a page for a fault, whatever its status", async () => {
    const stub = await startStub(page);
    const newsletter = createNewsletterUpstream(stub);
    const token = "t".repeat(32);
    const results = [
      newsletter.subscribe(signUpOf("a@shop.example"), visitor),
      newsletter.read(token, visitor),
      newsletter.confirm(token, visitor),
      newsletter.unsubscribe(token, visitor),
      createLoginUpstream(stub, testLogger).login({ email: "a@shop.example", password: "x" }, customer),
    ];
    for (const result of results) await expect(result).rejects.toMatchObject({ name: "UpstreamError" });
  });

  it("take a sign-in without cookies for a fault", async () => {
    const login = createLoginUpstream(await startStub(json("{}")), testLogger);
    await expect(login.login({ email: "a@shop.example", password: "x" }, customer)).rejects.toThrow(
      "without the cookies",
    );
  });
});
