import type { RequestListener } from "node:http";
import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import type { Jar } from "../../../support/cookie-jar.ts";
import { choose, christmas, header, signIn, summer } from "../../../support/preview-test.ts";
import { json, startStub, status } from "../../../support/start-stub.ts";
import { createTestApp, siteOf, sites, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const { app, deps } = await createTestApp({ demo: true, trustProxy: ["loopback"] });
const { db } = deps.store;
const staff = await signIn(app, db);
const colleague = await signIn(app, db, "other@shop.example");
const footer = (site: string, jar: Jar = {}) =>
  request(app).get(`/fragments/footer?site=${site}`).set("Cookie", header(jar));
const wordsOf = (locale: string) => deps.texts.translator(locale, "demo");

describe.each(sites)("the footer of $site", ({ site, locale }) => {
  const text = wordsOf(locale);

  it("shows staff what they preview, and shoppers what they saw before", async () => {
    const anonymous = await footer(site).expect(200);
    const asB = await choose(app, staff, christmas, "B");
    const inSummer = await choose(app, colleague, summer, "A");
    const [first, second, shopper] = await Promise.all([footer(site, asB), footer(site, inSummer), footer(site)]);
    expect(first.text).toContain(text("coffeeGifts.headline"));
    expect(second.text).toContain(text("coffee.headline"));
    for (const { text: html, headers } of [first, second]) {
      expect(load(html)("footer[data-fragment]").attr("data-preview-context")).toBe("true");
      expect(headers).toMatchObject({ "cache-control": "private, no-store" });
      for (const name of ["etag", "surrogate-key", "set-cookie"]) expect(headers).not.toHaveProperty(name);
    }
    expect(shopper.text).toBe(anonymous.text);
    expect(shopper.text).not.toContain("data-preview-context");
    expect(shopper.headers.etag).toBe(anonymous.headers.etag);
    expect(shopper.headers["cache-control"]).toMatch(/^public/);
  });
});

it.each([
  ["/", 200],
  ["/?site=XX", 400],
])("a page of staff who preview is private, too: %s", async (path, code) => {
  const page = (jar: Jar) =>
    request(app)
      .get(path)
      .set({ Host: "de.localhost", Accept: "text/html", Cookie: header(jar) })
      .expect(code);
  const { text, headers } = await page(await choose(app, staff, christmas));
  expect(text).toContain(wordsOf("de-DE")("gifts.headline"));
  expect(headers).toMatchObject({ "cache-control": "private, no-store", "x-robots-tag": "noindex" });
  expect((await page({})).text).not.toContain(wordsOf("de-DE")("gifts.headline"));
});

it("the promotion service answers staff with what they preview", async () => {
  const jar = await choose(app, staff, christmas, "B");
  const call = request(app).get("/service/promotion/api/promotion/SHOP_FOOTER?site=DE").set("Cookie", header(jar));
  expect(JSON.parse((await call.expect(200)).body.contentJSON).headline).toBe(wordsOf("de-DE")("coffeeGifts.headline"));
});

it("an invalid preview context changes neither content nor caching headers", async () => {
  const anonymous = await footer("DE").expect(200);
  const chosen = await choose(app, staff, christmas, "B");
  const { PreviewContext = "", StaffAuthToken = "", CobraAuthToken = "" } = chosen;
  for (const jar of [
    { PreviewContext },
    { PreviewContext, StaffAuthToken },
    { PreviewContext, CobraAuthToken },
    { ...colleague, PreviewContext },
    { ...chosen, PreviewContext: `${PreviewContext.slice(0, -9)}AAAAAAAAA` },
    { ...staff, PreviewContext: "j:{}" },
  ]) {
    const answer = await footer("DE", jar).expect(200);
    expect(answer.text).toBe(anonymous.text);
    expect(answer.headers.etag).toBe(anonymous.headers.etag);
    expect(answer.headers["cache-control"]).toBe(anonymous.headers["cache-control"]);
    expect(answer.headers).not.toHaveProperty("set-cookie");
  }
});

it("a preview is ignored while the store can't check it", async () => {
  const store = await openTestStore(testLogger);
  const broken = await createTestApp({ store, trustProxy: ["loopback"] });
  const jar = await choose(broken.app, await signIn(broken.app, store.db), christmas);
  await store.db.schema.dropTable("session").execute();
  const answer = await request(broken.app).get("/fragments/footer?site=DE").set("Cookie", header(jar)).expect(200);
  expect(answer.text).not.toContain("data-preview-context");
  expect(broken.logs.filter(({ level }) => level !== 30)).toMatchObject([
    { level: 40, msg: "database statement failed" },
  ]);
});

describe("with a real preview service", () => {
  const cookies = { StaffAuthToken: "a.b.c", CobraAuthToken: "d.e.f", PreviewContext: "g.h.i" };
  const openReal = async (answer: RequestListener) => {
    const stub = await startStub(answer);
    return { stub, ...(await createTestApp({ demo: true, upstreams: { ...deps.upstreams, preview: stub.origin } })) };
  };
  const chosen = { status: "SUCCESS", dateTime: christmas, abTestName: "footer-promotion", abTestGroup: "B" };

  it("applies its preview to footer, pages and promotion", async () => {
    const site = siteOf("CH_FR");
    const { app: real, stub } = await openReal(json(JSON.stringify(chosen)));
    const text = wordsOf(site.locale);
    const get = (path: string, jar: Jar) =>
      request(real)
        .get(path)
        .set({ Host: site.localHost, Cookie: header({ ...jar, login: "x.y.z", platform: "desktop" }) })
        .expect(200);
    for (const path of ["/fragments/footer", "/"]) {
      const { text: html, headers } = await get(path, cookies);
      expect(html).toContain(text("coffeeGifts.headline"));
      expect(headers).toMatchObject({ "cache-control": "private, no-store" });
      expect(headers).not.toHaveProperty("set-cookie");
      const shopper = await get(path, {});
      expect(shopper.text).not.toContain(text("coffeeGifts.headline"));
    }
    const { body } = await get("/service/promotion/api/promotion/SHOP_FOOTER", cookies);
    expect(JSON.parse(body.contentJSON).headline).toBe(text("coffeeGifts.headline"));
    expect(stub.requests).toHaveLength(1);
  });

  it("forwards calls, and has no sign-in page", async () => {
    const { app: real } = await openReal(json(JSON.stringify({ status: "UNAUTHORIZED" }), 401));
    await request(real).get("/service/preview/api/auth/checkauth").expect(401, { status: "UNAUTHORIZED" });
    await request(real).get("/preview").expect(404);
  });

  it("ignores the preview when it fails, with one log line", async () => {
    const { app: real, stub, logs } = await openReal(status(500));
    const anonymous = await footer("DE").expect(200);
    logs.length = 0;
    for (const path of ["/fragments/footer?site=DE", "/"]) {
      const { text: html } = await request(real)
        .get(path)
        .set({ Host: "de.localhost", Cookie: header({ ...cookies, StaffAuthToken: path.length.toString() }) })
        .expect(200);
      expect(html).not.toContain("data-preview-context");
      if (path !== "/") expect(html).toBe(anonymous.text);
    }
    expect(logs.filter(({ level }) => level !== 30)).toEqual([
      expect.objectContaining({ level: 40, upstream: "preview", reason: "status 500" }),
    ]);
    expect(JSON.stringify(logs)).not.toMatch(/d\.e\.f|secret body/);
    expect(stub.requests).toHaveLength(2);
  });
});

describe("with a real A/B test service", () => {
  it("validates the choice against its tests", async () => {
    const stub = await startStub(json(JSON.stringify([{ name: "footer-promotion", groups: [{ name: "C" }] }])));
    const real = await createTestApp({
      demo: true,
      trustProxy: ["loopback"],
      upstreams: { ...deps.upstreams, abtest: stub.origin },
    });
    expect(await choose(real.app, staff, christmas, "C")).toHaveProperty("PreviewContext");
    await expect(choose(real.app, staff, christmas, "A")).rejects.toThrow("400");
  });
});

it("a real promotion service gets the cookies of staff, and those of nobody else", async () => {
  const cookie = { StaffAuthToken: "a.b.c", CobraAuthToken: "d.e.f", PreviewContext: "g.h.i" };
  const contentJSON = JSON.stringify({ headline: "Later", text: "Soon.", link: { url: "/sale", text: "Look" } });
  const checked = JSON.stringify({ status: "SUCCESS", dateTime: christmas, abTestName: "", abTestGroup: "" });
  const [preview, promotion] = [await startStub(json(checked)), await startStub(json(JSON.stringify({ contentJSON })))];
  const upstreams = { preview: preview.origin, promotion: promotion.origin };
  const { app: real } = await createTestApp({ demo: true, upstreams });
  const footerFor = (jar: Jar) =>
    request(real)
      .get("/fragments/footer?site=DE")
      .set("Cookie", header({ ...jar, login: "x.y.z" }))
      .expect(200);
  expect((await footerFor(cookie)).text).toContain("Later");
  const [asked] = promotion.requests;
  expect([asked?.headers["x-site"], asked?.headers.cookie]).toEqual(["DE", header(cookie).join("; ")]);
  expect((await footerFor({})).text).not.toContain("Later");
  expect(promotion.requests).toHaveLength(1);
});
