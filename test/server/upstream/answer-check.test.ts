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
import { createTestApp } from "../../support/test-app.ts";

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

/** The real app with every service elsewhere, and what it logs of answers that it doesn't pass on. */
async function forwardTo(origin: string) {
  const { app, logs } = await createTestApp({ upstreams: Object.fromEntries(services.map((name) => [name, origin])) });
  return { app, faults: () => logs.filter(({ upstream }) => upstream).map(({ reason }) => reason) };
}

/** An upstream that sends these bytes, whatever it is asked. */
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
  it.each<[string, RequestListener, Record<string, string>]>([
    ["bytes", answering("image/png", "png"), {}],
    ["nothing", empty, {}],
    ["JSON that is empty", answering("application/json", ""), {}],
    ["a page for who asks for one", page, { Accept: "text/html,*/*" }],
  ])("is passed on: %s", async (_what, answer, headers) => {
    const { app } = await forwardTo((await startStub(answer)).origin);
    expect((await request(app).get(unknown).set(headers)).ok).toBe(true);
  });

  it("may be a page below the status 404, which says all by itself", async () => {
    const { origin } = await startStub(answering("text/html", "<!doctype html>", {}, 404));
    expect((await request((await forwardTo(origin)).app).get(unknown)).status).toBe(404);
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

  it("set no cookie that belongs to another service", async () => {
    const groups = ["ab=1; Path=/; HttpOnly", "c=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT"];
    const ofLogin = ["login=x; Path=/", "LoginToken = y", "LongtermToken=z"];
    const ofPreview = ["StaffAuthToken=x", "preview=true"];
    const cookies = [...ofLogin, ...ofPreview, ...groups];
    const stub = await startStub(answering("application/json", "{}", { "Set-Cookie": cookies }));
    const { app } = await forwardTo(stub.origin);
    const set = async (path: string) => (await request(app).get(path).expect(200)).headers["set-cookie"];
    expect(await set("/service/abtestfrontend/api/v1/getassignment")).toEqual(groups);
    expect(await set("/service/login/api/v1/x")).toEqual([...ofLogin, ...groups]);
    expect(await set("/service/preview/api/x")).toEqual([...ofPreview, ...groups]);
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
      createLoginUpstream(stub).login({ email: "a@shop.example", password: "x" }, customer),
    ];
    for (const result of results) await expect(result).rejects.toMatchObject({ name: "UpstreamError" });
  });

  it("take a sign-in without cookies for a fault", async () => {
    const login = createLoginUpstream(await startStub(json("{}")));
    await expect(login.login({ email: "a@shop.example", password: "x" }, customer)).rejects.toThrow(
      "without the cookies",
    );
  });
});
