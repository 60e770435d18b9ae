import { json as readJson } from "node:stream/consumers";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { createLoginUpstream } from "../../../../server/features/login/upstream.ts";
import { answerRightly } from "../../../support/answer-rightly.ts";
import { breakOff, startStub, status } from "../../../support/start-stub.ts";
import { createTestApp } from "../../../support/test-app.ts";

const body = { email: "ada@shop.example", password: "secret phrase", stayLoggedIn: true };
const caller = {
  ...{ address: "192.0.2.1", secure: true, host: "www.shop.example" },
  credentials: { login: "a.b.c", longterm: undefined },
};
const cookies = ["LoginToken=x; Path=/; Secure", "login=y; Path=/; HttpOnly; Expires=Thu, 01 Jan 2026 00:00:00 GMT"];
const base = "/service/login/api/v1";
const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };

describe("the real login service", () => {
  it("gets a form's login as a page of the site would send it, and its cookies are passed on as they are", async () => {
    const received = Promise.withResolvers<unknown>();
    const stub = await startStub(async (incoming, response) => {
      const { method, url, headers } = incoming;
      received.resolve({ method, url, headers, body: await readJson(incoming) });
      response.writeHead(200, { "Set-Cookie": cookies }).end("{}");
    });
    const login = createLoginUpstream(stub);
    expect(await login.login(body, caller)).toEqual({ status: "success", cookies });
    expect(await received.promise).toMatchObject({
      ...{ method: "POST", url: `${base}/login`, body },
      headers: {
        ...{ "content-type": "application/json", "x-hunter-csrf": "1", "sec-fetch-site": "same-origin" },
        ...{ origin: "https://www.shop.example", "x-forwarded-host": "www.shop.example", "x-forwarded-proto": "https" },
        ...{ "x-forwarded-for": "192.0.2.1", cookie: "login=a.b.c" },
      },
    });
  });

  it.each([
    [401, {}, { status: "unauthorized" }],
    [429, { "Retry-After": "7" }, { status: "rateLimited", retryAfter: 7 }],
    [429, {}, { status: "rateLimited", retryAfter: 60 }],
  ])("answers a form's login with %d %j", async (code, headers, result) => {
    const stub = await startStub((_request, response) => response.writeHead(code, headers).end("secret body"));
    expect(await createLoginUpstream(stub).login(body, caller)).toEqual(result);
  });

  it.each([
    [500, {}],
    [503, {}],
    [302, { Location: "/" }],
    [400, {}],
  ])("isn't available when it answers a form's login with %d %j", async (code, headers) => {
    const stub = await startStub((_request, response) => response.writeHead(code, headers).end("secret body"));
    const call = createLoginUpstream(stub).login(body, caller);
    await expect(call).rejects.toMatchObject({
      ...{ name: "UpstreamError", message: `upstream login: status ${code}` },
    });
  });

  it("that breaks off isn't available, which the log says without a word of what was sent", async () => {
    const stub = await startStub(breakOff);
    const { deps } = await createTestApp();
    const { app, logs } = await createTestApp({ upstreams: { ...deps.upstreams, login: stub.origin } });
    const { email, password } = body;
    await request(app)
      .post("/login")
      .set("Sec-Fetch-Site", "same-origin")
      .type("form")
      .send({ email, password })
      .expect(503);
    const text = JSON.stringify(logs.filter(({ msg }) => msg === "upstream failed"));
    expect(text).toContain("no answer (UND_ERR_SOCKET)");
    expect(text).not.toMatch(/ada@|secret/);
  });

  it("answers for itself, whatever its path", async () => {
    const stub = await startStub(answerRightly);
    const { deps } = await createTestApp();
    const { app } = await createTestApp({ upstreams: { ...deps.upstreams, login: stub.origin } });
    for (const path of ["login", "logintoken/renew", "longtermtoken/renew", "logout", "password/forgotten"]) {
      await request(app).post(`${base}/${path}`).set(own).expect(200, {});
      expect(stub.requests.at(-1)?.url).toBe(`${base}/${path}`);
    }
  });

  it("that fails is unavailable to who signs in, and a fault of the server to who renews", async () => {
    const stub = await startStub(status(500));
    const { deps } = await createTestApp();
    const { app } = await createTestApp({ upstreams: { ...deps.upstreams, login: stub.origin } });
    // It answers, so it goes on being asked.
    for (let call = 0; call < 6; call++) expect((await request(app).post(`${base}/login`).set(own)).status).toBe(503);
    expect(stub.requests).toHaveLength(6);
    expect((await request(app).post(`${base}/logintoken/renew`).set(own)).status).toBe(500);
  });
});

describe("the real service of customers' data", () => {
  const paths = [
    "/service/customerfrontenddata/api/v1/psdata",
    "/service/newsletter/api/private/customers/base-data",
    "/service/newsletter/api/private/customers/newsletter-status",
  ];

  it.each(paths)(
    "gets the credential of who is signed in, and never one that the browser makes up: %s",
    async (path) => {
      const stub = await startStub(answerRightly);
      const { deps } = await createTestApp();
      const { app } = await createTestApp({ upstreams: { ...deps.upstreams, customer: stub.origin } });
      const ask = (cookie: string) =>
        request(app).get(path).set({ Cookie: cookie, "X-Login-Token": "forged" }).expect(200);
      for (const cookie of ["login=a.b.c", "LongtermToken=x", "login=", "login=a%0D%0Ab", "login=j%3A%7B%7D"])
        await ask(cookie);
      expect(stub.requests.map(({ headers }) => headers["x-login-token"])).toEqual([
        "a.b.c",
        ...Array(4).fill(undefined),
      ]);
    },
  );
});
