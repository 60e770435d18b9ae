import request from "supertest";
import { describe, expect, it } from "vitest";
import { brand, createTestApp, sites } from "../../../support/test-app.ts";

const security = "/.well-known/security.txt";
const password = "/.well-known/change-password";
const localHost = (site: string) => `${site.toLowerCase().replace("_", "-")}.localhost`;
const appWith = async (securityContact: string | undefined) =>
  (await createTestApp({ brand: { ...brand, securityContact } })).app;
const day = 24 * 3_600_000;

describe("security.txt", () => {
  it.each([
    ["security+shop@shop.example", "mailto:security%2Bshop@shop.example"],
    ["https://shop.example/security", "https://shop.example/security"],
    ["tel:+49-30-123456", "tel:+49-30-123456"],
  ])("names the contact, ends within a year, and is at the origin of the site: %s", async (contact, uri) => {
    const app = await appWith(contact);
    for (const { site, locale, origin } of sites) {
      const answer = await request(app).get(security).set("Host", localHost(site)).expect(200);
      expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
      const fields = answer.text.trimEnd().split("\n");
      const expires = fields.find((field) => field.startsWith("Expires: "))?.slice(9) ?? "";
      expect(expires).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/);
      const left = Date.parse(expires) - Date.now();
      expect(left).toBeGreaterThan(200 * day);
      expect(left).toBeLessThan(365 * day);
      expect(fields).toEqual([
        `Contact: ${uri}`,
        `Expires: ${expires}`,
        `Preferred-Languages: ${locale.slice(0, 2)}`,
        `Canonical: ${origin}${security}`,
      ]);
    }
  });

  it("is 404 without a contact", async () => {
    const app = await appWith(undefined);
    await request(app).get(security).set("Host", "de.localhost").expect(404);
  });
});

it("change-password leads to the site's own page", async () => {
  const app = await appWith(undefined);
  for (const { site, login } of sites) {
    const answer = await request(app).get(password).set("Host", localHost(site)).expect(303);
    expect(answer.headers.location).toBe(login.forgottenPassword);
  }
});

it.each([security, password])("%s has the methods of a page", async (path) => {
  const app = await appWith("security@shop.example");
  const ask = (method: "head" | "options" | "post") => request(app)[method](path).set("Host", "de.localhost");
  expect((await ask("head")).status).toBe(path === security ? 200 : 303);
  for (const [method, status] of [["options", 204] as const, ["post", 405] as const]) {
    const answer = await ask(method).expect(status);
    expect(answer.headers.allow).toBe("GET, HEAD, OPTIONS");
  }
});
