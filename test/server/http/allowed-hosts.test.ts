import request from "supertest";
import { describe, expect, it } from "vitest";
import { createTestApp, sites } from "../../support/test-app.ts";

const variables = { host: "shop.internal", allowedHosts: ["tunnel.test", "[2001:db8::1]"] };
const { app } = await createTestApp(variables);
const { app: behindProxy } = await createTestApp({ ...variables, trustProxy: ["loopback"] });
const { app: inProduction } = await createTestApp({ production: true });

const foreign = "evil.example:3000";
const get = (path: string, headers: Record<string, string>, from = app) => request(from).get(path).set(headers);
const statusOf = async (headers: Record<string, string>, from = app) => (await get("/login", headers, from)).status;

describe("outside production", () => {
  it.each([
    ...[
      "/",
      "/login",
      "/m/login",
      "/preview",
      "/outbox",
      "/openapi/login.json",
      "/widgets",
      "/newsletter/confirm",
      "/nowhere",
    ],
    ...["/service/promotion/api/promotion/SHOP_FOOTER", "/service/privacy", "/.well-known/change-password"],
  ])("%s refuses a foreign host, and names the variable", async (path) => {
    const { headers, text } = await get(path, { Host: foreign }).expect(403);
    expect(text).toMatch(/evil\.example.*ALLOWED_HOSTS/);
    expect(headers).toMatchObject({ "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
    expect((await get(path, { Host: "localhost" })).status).not.toBe(403);
  });

  it("a form and a call of a page at a foreign host change nothing", async () => {
    const sent = { Host: foreign, Origin: `http://${foreign}`, "X-hunter-csrf": "1" };
    const login = { email: "demo@example.com", password: "password" };
    await request(app)
      .post("/login")
      .type("form")
      .set(sent)
      .send(login)
      .expect(403, /ALLOWED_HOSTS/);
    const call = "/service/newsletter/api/internal/newsletter-subscribers";
    await request(app)
      .post(call)
      .set(sent)
      .send({ email: "ada@example.com" })
      .expect(403, /ALLOWED_HOSTS/);
  });

  it.each([
    ...[
      "/fragments/footer/DE",
      "/fragments/footer/DE.json",
      "/fragments/footer/DE/fallback",
      "/fragments/head?site=DE",
    ],
    ...["/assets/inventory.json", "/service/footer-images/logos/dhl.svg", "/livez", "/readyz"],
    "/service/newsletterfrontend/newslettersubscriptionform/400x300.svg",
  ])("%s answers any host", async (path) => {
    await get(path, { Host: foreign }).expect(200);
  });

  it.each([
    ...[
      "localhost",
      "LocalHost:3000",
      "de.localhost",
      "any.name.localhost:80",
      "127.0.0.1:3000",
      "192.0.2.7",
      "[::1]:3000",
    ],
    ...["shop.internal", "tunnel.test:8443", ...sites.flatMap(({ hosts }) => hosts)],
  ])("pages answer the host %s", async (host) => {
    expect(await statusOf({ Host: host })).toBe(200);
  });

  it.each([
    "notlocalhost",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "tunnel.test.evil.example",
    "a.tunnel.test",
  ])("pages refuse the host %s", async (host) => {
    expect(await statusOf({ Host: host })).toBe(403);
  });

  it("a trusted proxy's X-Forwarded-Host counts in place of the host", async () => {
    expect(await statusOf({ Host: foreign, "X-Forwarded-Host": "de.localhost" })).toBe(403);
    expect(await statusOf({ Host: foreign, "X-Forwarded-Host": "de.localhost" }, behindProxy)).toBe(200);
    expect(await statusOf({ Host: "de.localhost", "X-Forwarded-Host": foreign }, behindProxy)).toBe(403);
    expect(await statusOf({ Host: foreign, "X-Forwarded-Host": "][" }, behindProxy)).toBe(403);
  });
});

it("production answers any host", async () => {
  expect(await statusOf({ Host: foreign }, inProduction)).toBe(200);
});
