import request from "supertest";
import { describe, expect, it } from "vitest";
import { startStub } from "../../support/start-stub.ts";
import { createTestApp } from "../../support/test-app.ts";

const { app, deps } = await createTestApp();
const read = "GET, HEAD, OPTIONS";
const subscribers = "/service/newsletter/api/internal/newsletter-subscribers";

/** Some paths of each part of the service, a method that none of them has, and the methods that they have. */
const known: [string, string, string][] = [
  ["POST", "/", read],
  ["POST", "/livez", read],
  ["POST", "/readyz", read],
  ["POST", "/fragments/footer?site=DE", read],
  ["DELETE", "/fragments/footer/DE", read],
  ["PUT", "/fragments/footer/DE/manifest.json", read],
  ["POST", deps.assets.url("boot.js"), read],
  ["DELETE", "/service/footer-images/logos/dhl.svg", read],
  ["DELETE", "/login", "GET, HEAD, POST, OPTIONS"],
  ["DELETE", "/m/login", "GET, HEAD, POST, OPTIONS"],
  ["GET", "/logout", "POST, OPTIONS"],
  ["PUT", "/newsletter/confirm?token=x", "GET, HEAD, POST, OPTIONS"],
  ["DELETE", "/preview", "GET, HEAD, POST, OPTIONS"],
  ["POST", "/widgets", read],
  ["GET", subscribers, "POST, OPTIONS"],
  ["POST", `${subscribers}/${"t".repeat(32)}`, "GET, HEAD, PUT, OPTIONS"],
  ["GET", "/service/login/api/v1/login", "POST, OPTIONS"],
  ["POST", "/service/preview/api/auth/checkauth", read],
  ["POST", "/service/customerfrontenddata/api/v1/psdata", read],
  ["POST", "/service/abtestfrontend/api/v1/gettestsat", read],
];
const ask = (method: string, path: string, to = app) =>
  request(to)[method.toLowerCase() as "get"](path).set("Host", "de.localhost");

describe("a path that the service has", () => {
  it.each(known)(
    "is 405 for another method and 204 for OPTIONS, with those it has: %s %s",
    async (method, path, allow) => {
      const refused = await ask(method, path);
      expect([refused.status, refused.headers.allow]).toEqual([405, allow]);
      expect(refused.headers["cache-control"]).toMatch(/no-store$/);
      const { status, headers, text } = await ask("OPTIONS", path);
      expect([status, headers.allow, text]).toEqual([204, allow, ""]);
    },
  );

  it("tells programs and composers of a wrong method in their own ways", async () => {
    const called = await ask("GET", "/service/login/api/v1/login");
    expect(called.body).toMatchObject({ type: "METHOD_NOT_ALLOWED", status: 405, title: expect.stringMatching(/\w/) });
    const composed = await ask("POST", "/fragments/footer/DE");
    expect([composed.text, composed.headers["x-fragment-error"]]).toEqual(["", called.body.title]);
    const visited = await ask("GET", "/view").set("Accept", "text/html");
    expect(visited.text).toContain("<footer");
  });

  it("is asked of the real service, where one answers", async () => {
    const stub = await startStub((_request, response) => void response.writeHead(207).end());
    const { app: forwarding } = await createTestApp({ upstreams: { login: stub.origin } });
    const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
    for (const method of ["GET", "DELETE", "OPTIONS"])
      expect((await ask(method, "/service/login/api/v1/login", forwarding).set(own)).status, method).toBe(207);
  });
});

it.each(["GET", "POST", "DELETE", "OPTIONS"])("a path that the service hasn't is 404 for %s", async (method) => {
  for (const path of ["/nowhere", "/service/nowhere", "/newsletter/nowhere", "/fragments"]) {
    const { status, headers } = await ask(method, path);
    expect([status, headers.allow], path).toEqual([404, undefined]);
  }
});
