import type { RequestListener } from "node:http";
import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { staffAccounts } from "../../../server/shop/preview/staff-accounts.ts";
import { type Jar, keep } from "../../support/login-test.ts";
import { choose, christmas, cookiesOf, header, password, signIn, summer, user } from "../../support/preview-test.ts";
import { siteOf } from "../../support/site-of.ts";
import { json, startStub, status } from "../../support/start-stub.ts";
import { createTestApp, sites, testLogger } from "../../support/test-app.ts";
import { openTestStore } from "../../support/test-store.ts";

const { app, deps } = await createTestApp({ trustProxy: ["loopback"] });
const { db } = deps.store;
const staff = await signIn(app, db);
const colleague = await signIn(app, db, "other@shop.example");
const footer = (site: string, jar: Jar = {}) =>
  request(app).get(`/fragments/footer?site=${site}`).set("Cookie", header(jar));
const wordsOf = (locale: string) => deps.texts.translator(locale, "demo");

describe.each(sites)("the footer of $site", ({ site, locale, localHost }) => {
  const text = wordsOf(locale);

  it("promotes to staff what they have chosen, and to shoppers what it did before", async () => {
    const anonymous = await footer(site).expect(200);
    const asB = await choose(app, staff, christmas, "B");
    const inSummer = await choose(app, colleague, summer, "A");
    const [first, second, shopper] = await Promise.all([footer(site, asB), footer(site, inSummer), footer(site)]);
    expect(first.text).toContain(text("coffeeGifts.headline"));
    expect(second.text).toContain(text("coffee.headline"));
    for (const { text: html, headers } of [first, second]) {
      expect(load(html)("footer[data-fragment]").attr("data-preview-context")).toBe("true");
      expect(headers).toMatchObject({ "cache-control": "private, no-store", "x-robots-tag": "noindex" });
      for (const name of ["etag", "surrogate-key", "set-cookie"]) expect(headers).not.toHaveProperty(name);
    }
    expect(shopper.text).toBe(anonymous.text);
    expect(shopper.text).not.toContain("data-preview-context");
    expect(shopper.headers.etag).toBe(anonymous.headers.etag);
    expect(shopper.headers["cache-control"]).toMatch(/^public/);
  });

  it("is that of the preview on pages, too, which search engines leave alone", async () => {
    const page = (jar: Jar) =>
      request(app)
        .get("/")
        .set({ Host: localHost, Cookie: header(jar) })
        .expect(200);
    const previewed = await page(await choose(app, staff, christmas));
    expect(previewed.text).toContain(text("gifts.headline"));
    expect(previewed.headers).toMatchObject({ "cache-control": "private, no-store", "x-robots-tag": "noindex" });
    const shopper = await page({});
    expect(shopper.text).not.toContain(text("gifts.headline"));
    expect(shopper.headers).not.toHaveProperty("x-robots-tag");
  });
});

it("is private on a page that says what went wrong, too", async () => {
  const answer = await request(app)
    .get("/?site=XX")
    .set({ Host: "de.localhost", Accept: "text/html", Cookie: header(await choose(app, staff, christmas)) })
    .expect(400);
  expect(answer.text).toContain(wordsOf("de-DE")("gifts.headline"));
  expect(answer.headers).toMatchObject({ "cache-control": "private, no-store", "x-robots-tag": "noindex" });
});

describe("the promotion service", () => {
  it("tells staff what they preview: each group's, and each season's", async () => {
    const promoted = async (jar: Jar) =>
      (await request(app).get("/service/promotion/api/promotion/SHOP_FOOTER?site=DE").set("Cookie", header(jar))).body
        .contentJSON;
    const found = [
      await promoted(await choose(app, staff, christmas, "A")),
      await promoted(await choose(app, staff, christmas, "B")),
      await promoted(await choose(app, staff, summer, "A")),
      await promoted(await choose(app, staff, summer, "B")),
    ];
    expect(new Set(found).size).toBe(4);
  });
});

describe("a choice that isn't the sender's, or not any more,", () => {
  it("changes no byte, and no header that caches read", async () => {
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

  it("is removed by the next page", async () => {
    const { PreviewContext = "" } = await choose(app, staff, christmas);
    const answer = await request(app)
      .get("/")
      .set({ Host: "de.localhost", Cookie: header({ ...colleague, PreviewContext }) })
      .expect(200);
    expect(keep({ PreviewContext }, cookiesOf(answer))).toEqual({});
  });
});

it("shows the shop as it is when the store can't tell what somebody previews", async () => {
  const store = await openTestStore(testLogger);
  const broken = await createTestApp({ store, trustProxy: ["loopback"] });
  const jar = await choose(broken.app, await signIn(broken.app, store.db), christmas);
  await store.db.schema.dropTable("staff_session").execute();
  const answer = await request(broken.app).get("/fragments/footer?site=DE").set("Cookie", header(jar)).expect(200);
  expect(answer.text).not.toContain("data-preview-context");
  expect(broken.logs.filter(({ level }) => level !== 30)).toMatchObject([
    { level: 40, msg: "the store could not carry out a statement" },
  ]);
  const page = await request(broken.app).get("/?site=DE").set("Cookie", header(jar)).expect(200);
  expect(page.headers).not.toHaveProperty("set-cookie");
});

/** Sends the form where staff sign in, as the page of a host does. */
function postLogin(host: string, fields: object) {
  return request(app)
    .post("/preview")
    .set({ Host: host, Origin: `http://${host}` })
    .type("form")
    .send(fields);
}

describe.each(sites)("the page of $site where staff sign in", ({ localHost, locale }) => {
  const text = deps.texts.translator(locale, "preview");
  const get = () => request(app).get("/preview").set("Host", localHost);

  it("is a plain form in the site's language, out of frames, caches and search engines", async () => {
    const { text: html, headers } = await get().expect(200);
    const $ = load(html);
    expect([$("html").attr("lang"), $("h1").text()]).toEqual([locale, text("signIn.title")]);
    expect($("meta[name=robots]").attr("content")).toBe("noindex");
    expect($("form[action='/preview']").attr("method")).toBe("post");
    for (const name of ["user", "password"])
      expect($(`label[for='${$(`[name=${name}]`).attr("id")}']`)).toHaveLength(1);
    expect(headers).toMatchObject({
      "cache-control": "private, no-store",
      "x-frame-options": "DENY",
      "x-robots-tag": "noindex",
    });
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["content-security-policy"]).toMatch(/'nonce-/);
  });

  it("says that something was wrong", async () => {
    const wrong = await postLogin(localHost, { user: `nobody@${localHost}`, password }).expect(422);
    expect(load(wrong.text)(".sf-notification").text()).toContain(text("signIn.wrong"));
  });
});

describe("the form where staff sign in", () => {
  it("leads to the shop, or says that something was wrong", async () => {
    const { localHost, locale } = siteOf("DE");
    const text = deps.texts.translator(locale, "preview");
    await staffAccounts.add(db, { email: user, password });
    const right = await postLogin(localHost, { user, password }).expect(303);
    expect(right.headers.location).toBe("/");
    expect(Object.keys(keep({}, cookiesOf(right))).sort()).toEqual(["CobraAuthToken", "StaffAuthToken", "preview"]);
    const wrong = await postLogin(localHost, { user, password: "wrong password" }).expect(422);
    const $ = load(wrong.text);
    expect($(".sf-notification").text()).toContain(text("signIn.wrong"));
    expect([$("[name=user]").val(), $("[name=password]").val()]).toEqual([user, undefined]);
    expect(wrong.text).not.toContain("wrong password");
  });
});

describe("the page where staff sign in", () => {
  const ours = { "Sec-Fetch-Site": "same-origin" };
  const post = (fields: object, headers = ours) => request(app).post("/preview").set(headers).type("form").send(fields);

  it.each([[{}], [{ user: ["a", "b"], password: ["a", "b"] }], [{ user: "x".repeat(1_000), password }]])(
    "takes nonsense for a wrong password: %j",
    async (fields) => {
      await post(fields).expect(422);
    },
  );

  it("refuses a form of another site", async () => {
    await post({ user, password }, { "Sec-Fetch-Site": "cross-site" }).expect(403);
    await request(app).post("/preview").type("form").send({ user, password }).expect(403);
  });

  it("asks for patience after too many tries", async () => {
    for (let tries = 0; tries < 5; tries++) await post({ user: "slow@shop.example", password: "x" }).expect(422);
    const answer = await post({ user: "slow@shop.example", password: "x" }).expect(429);
    expect(answer.text).toContain(deps.texts.translator("de-DE", "preview")("signIn.tooMany"));
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  });

  it("says that nobody can sign in when the store is gone", async () => {
    const store = await openTestStore(testLogger);
    const broken = await createTestApp({ store });
    await store.db.schema.dropTable("login_throttle").execute();
    const answer = await request(broken.app)
      .post("/preview")
      .set(ours)
      .type("form")
      .send({ user, password })
      .expect(503);
    expect(answer.text).toContain(deps.texts.translator("de-DE", "preview")("signIn.unavailable"));
  });
});

describe("with a real preview service", () => {
  const cookies = { StaffAuthToken: "a.b.c", CobraAuthToken: "d.e.f", PreviewContext: "g.h.i" };
  const openReal = async (answer: RequestListener) => {
    const stub = await startStub(answer);
    return { stub, ...(await createTestApp({ upstreams: { ...deps.upstreams, preview: stub.origin } })) };
  };
  const chosen = { status: "SUCCESS", dateTime: christmas, abTestName: "footer-promotion", abTestGroup: "B" };

  it("the footer, pages and promotion are as staff have chosen there", async () => {
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
      expect(headers).toMatchObject({ "cache-control": "private, no-store", "x-robots-tag": "noindex" });
      expect(headers).not.toHaveProperty("set-cookie");
      const shopper = await get(path, {});
      expect(shopper.text).not.toContain(text("coffeeGifts.headline"));
      expect(shopper.headers).not.toHaveProperty("x-robots-tag");
    }
    const { body } = await get("/service/promotion/api/promotion/SHOP_FOOTER", cookies);
    expect(JSON.parse(body.contentJSON).headline).toBe(text("coffeeGifts.headline"));
    expect(stub.requests).toHaveLength(1);
  });

  it("calls are its, there is no page to sign in, and choices are left alone", async () => {
    const { app: real } = await openReal(json(JSON.stringify({ status: "UNAUTHORIZED" }), 401));
    await request(real).get("/service/preview/api/auth/checkauth").expect(401, { status: "UNAUTHORIZED" });
    await request(real).get("/preview").expect(404);
    const jar = await choose(app, staff, christmas);
    const anonymous = await footer("DE").expect(200);
    const answer = await request(real).get("/fragments/footer?site=DE").set("Cookie", header(jar)).expect(200);
    expect([answer.text, answer.headers.etag]).toEqual([anonymous.text, anonymous.headers.etag]);
    const page = await request(real)
      .get("/")
      .set({ Host: "de.localhost", Cookie: header(jar) })
      .expect(200);
    expect(cookiesOf(page)).toEqual([]);
  });

  it("that fails leaves the shop as it is, with one line in the log", async () => {
    const { app: real, stub, logs } = await openReal(status(500));
    const anonymous = await footer("DE").expect(200);
    logs.length = 0;
    for (const path of ["/fragments/footer?site=DE", "/"]) {
      const { text: html, headers } = await request(real)
        .get(path)
        .set({ Host: "de.localhost", Cookie: header({ ...cookies, StaffAuthToken: path.length.toString() }) })
        .expect(200);
      expect(html).not.toContain("data-preview-context");
      expect(headers).not.toHaveProperty("x-robots-tag");
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
  it("its tests are the ones to choose from", async () => {
    const stub = await startStub(json(JSON.stringify([{ name: "footer-promotion", groups: [{ name: "C" }] }])));
    const real = await createTestApp({
      trustProxy: ["loopback"],
      upstreams: { ...deps.upstreams, abtest: stub.origin },
    });
    expect(await choose(real.app, staff, christmas, "C")).toHaveProperty("PreviewContext");
    await expect(choose(real.app, staff, christmas, "A")).rejects.toThrow("400");
  });
});

describe("with a real promotion service", () => {
  const cookie = { StaffAuthToken: "a.b.c", CobraAuthToken: "d.e.f", PreviewContext: "g.h.i" };
  const contentJSON = JSON.stringify({ headline: "Later", text: "Soon.", link: { url: "/sale", text: "Look" } });
  const openReal = async (answer: RequestListener) => {
    const checked = json(JSON.stringify({ status: "SUCCESS", dateTime: christmas, abTestName: "", abTestGroup: "" }));
    const [preview, promotion] = [await startStub(checked), await startStub(answer)];
    const upstreams = { ...deps.upstreams, preview: preview.origin, promotion: promotion.origin };
    return { promotion, ...(await createTestApp({ upstreams })) };
  };
  const previewed = (real: RequestListener) =>
    request(real)
      .get("/fragments/footer?site=DE")
      .set("Cookie", header({ ...cookie, login: "x.y.z" }))
      .expect(200);

  it("the footer shows what that says to the cookies of staff, whom alone it is asked for", async () => {
    const { app: real, promotion } = await openReal(json(JSON.stringify({ contentJSON })));
    expect((await previewed(real)).text).toContain("Later");
    expect(promotion.requests.map(({ headers }) => [headers["x-site"], headers.cookie])).toEqual([
      ["DE", header(cookie).join("; ")],
    ]);
    const shopper = await request(real).get("/fragments/footer?site=DE").expect(200);
    expect(shopper.text).not.toContain("Later");
    expect(promotion.requests).toHaveLength(1);
  });

  it("that fails, the footer shows none", async () => {
    const { app: real } = await openReal(status(500));
    const { text } = await previewed(real);
    expect(text).toContain("data-preview-context");
    expect(text).not.toContain('data-section="promotion"');
  });
});
