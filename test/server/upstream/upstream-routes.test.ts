import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { realServices } from "../../../server/config/real-services.ts";
import { answerRightly } from "../../support/answer-rightly.ts";
import { startProcess, stopProcesses } from "../../support/start-process.ts";
import { type Stub, startStub } from "../../support/start-stub.ts";
import { createTestApp } from "../../support/test-app.ts";

/** A call of each service. */
const calls = {
  abtest: "/service/abtestfrontend/api/v1/getassignment",
  promotion: "/service/promotion/api/promotion/SHOP_FOOTER",
  newsletter: "/service/newsletter/api/internal/newsletter-subscribers",
  customer: "/service/customerfrontenddata/api/v1/psdata",
  login: "/service/login/api/v1/login",
  preview: "/service/preview/api/token",
};
const token = "t".repeat(32);
const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };

/** Starts the service with every service real. */
async function startWith(stub: Stub) {
  const upstreams = Object.fromEntries(realServices.map(({ name }) => [name, stub.origin]));
  return (await createTestApp({ upstreams })).app;
}

it.each(realServices)("asks the real $name service, and no other one, where its URL is set", async ({ name }) => {
  const stub = await startStub((_request, response) => response.writeHead(404).end());
  const { app } = await createTestApp({ upstreams: { [name]: stub.origin } });
  for (const call of Object.values(calls)) await request(app).get(call);
  expect(stub.requests.map(({ url }) => url)).toEqual([calls[name]]);
});

describe("a change that is forwarded", () => {
  const foreign: Record<string, string>[] = [
    {},
    { "X-hunter-csrf": "1" },
    { "Sec-Fetch-Site": "same-origin" },
    { "X-hunter-csrf": "1", "Sec-Fetch-Site": "cross-site" },
    { "X-hunter-csrf": "1", Origin: "https://evil.example" },
  ];

  it("needs both the header and evidence of the same origin", async () => {
    const stub = await startStub(answerRightly);
    const app = await startWith(stub);
    const closed = [
      ...Object.values(calls).map((path) => ["post", path] as const),
      ["put", `${calls.newsletter}/${token}/doi`],
      ["put", `${calls.newsletter}/${token}/unsubscribe`],
      ["post", `${calls.newsletter}/${token}/other`],
      ["post", `${calls.login}/${token}/unsubscribe`],
    ] as const;
    for (const headers of foreign)
      for (const [method, path] of closed) {
        const response = await request(app)[method](path).set(headers);
        expect([response.status, response.body], path).toMatchObject([403, { type: "FORBIDDEN" }]);
        expect(response.get("Cache-Control")).toBe("private, no-store");
      }
    expect(stub.requests).toEqual([]);
    for (const path of Object.values(calls)) {
      expect((await request(app).post(path).set(own)).ok).toBe(true);
      expect((await request(app).get(path)).ok).toBe(true);
    }
    const sameOrigin = { Host: "de.localhost", Origin: "http://de.localhost", "X-hunter-csrf": "1" };
    await request(app).post(calls.login).set(sameOrigin).expect(200);
  });

  it("needs neither where a subscriber's token proves enough", async () => {
    const app = await startWith(await startStub(answerRightly));
    for (const base of [calls.newsletter, calls.newsletter.replace("internal", "private")])
      for (const action of ["unsubscribe", "opened"]) await request(app).post(`${base}/${token}/${action}`).expect(200);
  });
});

it("reaches a real service from the built service", async () => {
  const stub = await startStub(answerRightly);
  const service = startProcess({ DEMO: "off", UPSTREAM_ABTEST_URL: stub.origin });
  onTestFinished(stopProcesses);
  expect((await fetch(`http://127.0.0.1:${await service.port}${calls.abtest}`)).status).toBe(200);
  expect(stub.requests.map(({ url }) => url)).toEqual([calls.abtest]);
});

describe("what a forwarded call carries of its visitor", () => {
  const cookies = {
    login: "login=a.b.c",
    longterm: "LongtermToken=d.e.f",
    staff: "StaffAuthToken=g; CobraAuthToken=h; PreviewContext=i",
  };
  const everything = {
    Cookie: [...Object.values(cookies), "LoginToken=clock", "KnownDevice=a", "KnownStaffDevice=b", "other=1"].join(
      "; ",
    ),
    Authorization: "Basic eA==",
    "X-Login-Token": "forged",
    "X-Original-Address": "203.0.113.9",
    "X-Own": "1",
  };
  /** The data that each service gets, and no other. */
  const expected: Record<keyof typeof calls, object> = {
    abtest: {},
    promotion: { cookie: cookies.staff },
    newsletter: { "x-original-address": expect.stringMatching(/127\.0\.0\.1$/) },
    customer: { "x-login-token": "a.b.c" },
    login: { cookie: `${cookies.login}; ${cookies.longterm}` },
    preview: { cookie: cookies.staff },
  };
  const tellTales = ["cookie", "authorization", "x-login-token", "x-original-address", "x-own"];

  it("is what its service needs", async () => {
    const stub = await startStub(answerRightly);
    const app = await startWith(stub);
    for (const { name } of realServices) {
      await request(app)
        .get(calls[name])
        .set({ ...everything, "X-Site": "PL", "Accept-Language": "pl" });
      const asked = stub.requests.findLast(({ url }) => url === calls[name]);
      const carried = Object.entries(asked?.headers ?? {}).filter(([header]) => tellTales.includes(header));
      expect(Object.fromEntries(carried), name).toEqual(expected[name]);
      expect(asked?.headers).toMatchObject({ "x-site": "PL", "accept-language": "pl" });
    }
  });

  it("names the site of its host, if it names none itself", async () => {
    const stub = await startStub(answerRightly);
    await request(await startWith(stub))
      .get(calls.customer)
      .set("Host", "pl.localhost");
    expect(stub.requests[0]?.headers["x-site"]).toBe("PL");
  });

  it("gets no other site beside the one in its query", async () => {
    const stub = await startStub(answerRightly);
    await request(await startWith(stub))
      .get(calls.customer)
      .query({ site: "AT" })
      .set("Host", "pl.localhost");
    expect(stub.requests[0]?.url).toContain("site=AT");
    expect(stub.requests[0]?.headers).not.toHaveProperty("x-site");
  });
});

describe("a forwarded answer", () => {
  it("is stored by nobody, unless the real service says who may store what everybody gets", async () => {
    const stub = await startStub(answerRightly);
    const app = await startWith(stub);
    const header = async (path: string, cookie = "") =>
      (await request(app).get(path).set("Cookie", cookie)).get("Cache-Control");
    for (const path of Object.values(calls)) expect(await header(path), path).toBe("private, no-store");
    stub.answer = (incoming, response) => {
      answerRightly(incoming, response.setHeader("Cache-Control", "public, max-age=600"));
    };
    const { abtest, promotion, ...personal } = calls;
    for (const path of [abtest, promotion]) expect(await header(path), path).toBe("public, max-age=600");
    for (const path of Object.values(personal)) expect(await header(path), path).toBe("private, no-store");
    expect(await header(promotion, "PreviewContext=a")).toBe("private, no-store");
    stub.answer = (_incoming, response) => {
      response.writeHead(200, { "Cache-Control": "public", "Set-Cookie": "group=A" }).end();
    };
    expect(await header(abtest)).toBe("private, no-store");
    await stub.close();
    expect(await header(calls.customer)).toBe("private, no-store");
  });

  it("may clear the browser's cache, as at a logout", async () => {
    const stub = await startStub((_incoming, response) => {
      response.writeHead(204, { "Clear-Site-Data": '"cache"' }).end();
    });
    const page = { "Sec-Fetch-Site": "same-origin", "X-hunter-csrf": "1" };
    const answer = await request(await startWith(stub))
      .post("/service/login/api/v1/logout")
      .set(page);
    expect([answer.status, answer.get("Clear-Site-Data")]).toEqual([204, '"cache"']);
  });

  it("has the service's own headers for security, whatever the real one sends", async () => {
    const weak = {
      "Access-Control-Allow-Origin": "*",
      "Clear-Site-Data": '"*"',
      "Content-Security-Policy": "default-src *",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Strict-Transport-Security": "max-age=0",
      "X-Content-Type-Options": "none",
      "X-Debug": "1",
      "X-Frame-Options": "ALLOWALL",
      Refresh: "0;url=https://evil.example",
      Server: "Apache",
    };
    const stub = await startStub(answerRightly);
    const app = await startWith(stub);
    for (const path of Object.values(calls)) {
      stub.answer = answerRightly;
      const before = await request(app).get(path);
      stub.answer = (incoming, response) => answerRightly(incoming, response.setHeaders(new Map(Object.entries(weak))));
      const { headers } = await request(app).get(path);
      for (const name of Object.keys(weak)) expect(headers[name.toLowerCase()], name).toBe(before.get(name));
    }
  });
});
