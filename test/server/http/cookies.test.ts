import { parseSetCookie } from "cookie";
import request, { type Test } from "supertest";
import { describe, expect, it } from "vitest";
import { readCountries } from "../../../server/sites/countries.ts";
import { createTestApp, drawings, texts } from "../../support/test-app.ts";

// Austria keeps its local origin, which is one of http.
const origins = new Map([["DE", "https://www.shop.example"]]);
const { countries } = await readCountries({ folder: "countries", drawings, texts, origins, localPort: 3000 });
const { app } = await createTestApp({ countries, trustProxy: ["loopback"] });

const ours = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
const calls: [string, () => Test][] = [
  ["the view changer", () => request(app).post("/view").type("form").send({ view: "mobile" })],
  ["the login page", () => request(app).get("/login?redirect=/bag")],
  ["a sign-up", () => request(app).post("/newsletter").type("form").send({ email: "ada@shop.example" })],
  ["logging out", () => request(app).post("/service/login/api/v1/logout")],
  ["staff that sign out", () => request(app).post("/service/preview/api/auth/logout")],
];

describe.each(calls)("the cookies of %s", (_name, call) => {
  it.each([
    ["www.shop.example", "http", true],
    ["www.shop.example", undefined, true],
    ["at.localhost", "http", undefined],
    ["at.localhost", undefined, undefined],
    ["at.localhost", "https", true],
  ])("on %s, forwarded by %s, are for https alone: %s", async (host, forwarded, secure) => {
    const { headers } = await call().set({
      ...ours,
      Host: host,
      ...(forwarded && { "X-Forwarded-Proto": forwarded }),
    });
    const cookies = [headers["set-cookie"] ?? []].flat().map((text) => parseSetCookie(text));
    expect(cookies).not.toHaveLength(0);
    for (const cookie of cookies) expect(cookie.secure, cookie.name).toBe(secure);
  });
});
