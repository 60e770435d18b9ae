import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { subscriberPaths } from "../../../../server/features/newsletter/service.ts";
import { readCountries } from "../../../../server/sites/countries.ts";
import { answerRightly } from "../../../support/answer-rightly.ts";
import { signUpOf, subscriptionOf } from "../../../support/newsletter-test.ts";
import { startStub } from "../../../support/start-stub.ts";
import { createTestApp, drawings, texts } from "../../../support/test-app.ts";

const [lacking, complete] = ["PL", "DE"] as const;
const lost = { locale: "pl-PL", namespace: "newsletter", key: "legal.consent" };
const find: typeof texts.find = (...wanted) =>
  Object.values(lost).every((part, index) => part === wanted[index]) ? undefined : texts.find(...wanted);
const { countries } = await readCountries({
  folder: "countries",
  drawings,
  texts: { ...texts, find },
  localPort: 3000,
});
const { app, deps } = await createTestApp({ countries });
const email = "someone@shop.example";
const sameOrigin = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
const script = (to: typeof app, site: string, path = "") =>
  request(to)
    .post(path)
    .set({ ...sameOrigin, "X-Site": site })
    .send(signUpOf(email));

describe("a site that lacks a text by which visitors consent", () => {
  it("has no form, neither in its footer nor by itself", async () => {
    const blocksOf = async (path: string, site: string) => {
      const { text } = await request(app).get(path).query({ site }).expect(200);
      return load(text)("form[action^='/newsletter']").length;
    };
    for (const path of ["/fragments/footer", "/fragments/newsletter"])
      expect([await blocksOf(path, lacking), await blocksOf(path, complete)], path).toEqual([0, 1]);
    await request(app).get("/subscribenewsletter").query({ site: complete }).expect(200);
    await request(app).get("/subscribenewsletter").query({ site: lacking }).expect(503);
  });

  it("refuses sign-ups with script and without, and no other site's", async () => {
    for (const path of subscriberPaths) {
      const { body, headers } = await script(app, lacking, path).expect(503);
      expect(body).toEqual({ type: "UNAVAILABLE", title: "the site offers no newsletter", status: 503 });
      expect(headers["cache-control"]).toBe("no-store");
      await script(app, complete, path).expect(202);
    }
    const send = (site: string) => request(app).post("/newsletter").set(sameOrigin).type("form").send({ email, site });
    await send(lacking).expect(503);
    await send(complete).expect(303);
    expect(await subscriptionOf(deps.store.db, email, lacking)).toBeUndefined();
  });

  it("passes no sign-up on to a real newsletter service", async () => {
    const stub = await startStub(answerRightly);
    const real = await createTestApp({ countries, upstreams: { newsletter: stub.origin } });
    for (const path of subscriberPaths) await script(real.app, lacking, path).expect(503);
    expect(stub.requests).toEqual([]);
    await request(real.app)
      .get(`${subscriberPaths[0]}/${"t".repeat(32)}`)
      .set("X-Site", lacking)
      .expect(200);
  });
});
