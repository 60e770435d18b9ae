import { json as readJson } from "node:stream/consumers";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { answerRightly } from "../../../support/answer-rightly.ts";
import { breakOff, type Stub, startStub, status } from "../../../support/start-stub.ts";
import { createTestApp } from "../../../support/test-app.ts";

const cookies = ["LoginToken=x; Path=/; Secure", "login=y; Path=/; HttpOnly; Expires=Thu, 01 Jan 2026 00:00:00 GMT"];
const base = "/service/login/api/v1";
const fields = { email: "ada@shop.example", password: "secret phrase", stayLoggedIn: true };
const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
const openApp = ({ origin }: Stub, service = "login") =>
  createTestApp({ trustProxy: ["loopback"], upstreams: { [service]: origin } });

async function sendForm(stub: Stub) {
  const { app, logs } = await openApp(stub);
  const form = request(app).post("/login").type("form");
  const origin = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "de.localhost", "X-Forwarded-For": "192.0.2.1" };
  const sent = form.set({ ...origin, "Sec-Fetch-Site": "same-origin", Cookie: "login=a.b.c; platform=desktop" });
  return { answer: await sent.send({ ...fields, stayLoggedIn: "on" }), logs };
}

describe("a form's login at the real service", () => {
  it("is the call that a page of the site would send, and its cookies are passed on unchanged", async () => {
    const received = Promise.withResolvers<unknown>();
    const stub = await startStub(async (incoming, response) => {
      const { method, url, headers } = incoming;
      received.resolve({ method, url, headers, body: await readJson(incoming) });
      response.writeHead(200, { "Set-Cookie": cookies }).end("{}");
    });
    const { answer } = await sendForm(stub);
    expect([answer.status, answer.headers["set-cookie"]?.slice(0, 2)]).toEqual([303, cookies]);
    expect(await received.promise).toMatchObject({
      method: "POST",
      url: `${base}/login`,
      body: fields,
      headers: {
        "content-type": "application/json",
        "x-hunter-csrf": "1",
        "sec-fetch-site": "same-origin",
        origin: "https://de.localhost",
        "x-forwarded-host": "de.localhost",
        "x-forwarded-proto": "https",
        "x-forwarded-for": "192.0.2.1",
        cookie: "login=a.b.c",
      },
    });
  });

  it.each([
    [401, {}, 422, undefined],
    [429, { "Retry-After": "7" }, 429, "7"],
    [429, {}, 429, "60"],
    [500, {}, 503, undefined],
    [302, { Location: "/" }, 503, undefined],
    [400, {}, 503, undefined],
  ])("answered with %d %j is a page with %d", async (code, headers, expected, retryAfter) => {
    const stub = await startStub((_request, response) => response.writeHead(code, headers).end("secret body"));
    const { answer } = await sendForm(stub);
    expect([answer.status, answer.headers["retry-after"]]).toEqual([expected, retryAfter]);
  });

  it("that breaks off is unavailable, which the log says without a word of what was sent", async () => {
    const { answer, logs } = await sendForm(await startStub(breakOff));
    expect(answer.status).toBe(503);
    const text = JSON.stringify(logs.filter(({ msg }) => msg === "upstream failed"));
    expect(text).toContain("no answer (UND_ERR_SOCKET)");
    expect(text).not.toMatch(/ada@|secret/);
  });
});

describe("the real login service", () => {
  it("answers for itself, whatever its path", async () => {
    const stub = await startStub(answerRightly);
    const { app } = await openApp(stub);
    for (const path of ["login", "logintoken/renew", "longtermtoken/renew", "logout", "password/forgotten"]) {
      await request(app).post(`${base}/${path}`).set(own).expect(200, {});
      expect(stub.requests.at(-1)?.url).toBe(`${base}/${path}`);
    }
  });

  it("that fails is unavailable for logins, and a fault of the server for renewals", async () => {
    const stub = await startStub(status(500));
    const { app } = await openApp(stub);
    // It answers, so it is called again.
    for (let call = 0; call < 6; call++) await request(app).post(`${base}/login`).set(own).expect(503);
    expect(stub.requests).toHaveLength(6);
    await request(app).post(`${base}/logintoken/renew`).set(own).expect(500);
  });
});

it.each([
  "/service/customerfrontenddata/api/v1/psdata",
  "/service/newsletter/api/private/customers/base-data",
  "/service/newsletter/api/private/customers/newsletter-status",
])("the real customer service gets the customer's credential, and none that the browser makes up: %s", async (path) => {
  const stub = await startStub(answerRightly);
  const { app } = await openApp(stub, "customer");
  for (const cookie of ["login=a.b.c", "LongtermToken=x", "login=", "login=a%0D%0Ab", "login=j%3A%7B%7D"])
    await request(app).get(path).set({ Cookie: cookie, "X-Login-Token": "forged" }).expect(200);
  expect(stub.requests.map(({ headers }) => headers["x-login-token"])).toEqual(["a.b.c", ...Array(4).fill(undefined)]);
});
