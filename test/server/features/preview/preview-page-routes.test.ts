import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { type Jar, keep } from "../../../support/cookie-jar.ts";
import { markupFaults } from "../../../support/markup-faults.ts";
import {
  base,
  call,
  choose,
  christmas,
  cookiesOf,
  header,
  password,
  signIn,
  user,
} from "../../../support/preview-test.ts";
import { createTestApp, sites, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const { app, deps, logs } = await createTestApp({ trustProxy: ["loopback"] });
const { db } = deps.store;
const sharing = await choose(app, await signIn(app, db), christmas, "B");
const { body } = await call(app, `${base}/share`, sharing).send({ path: "/bag?a=b" }).expect(200);
const share = new URL(body.url).searchParams.get("share") ?? "";
const forged = `${share.slice(0, -9)}AAAAAAAAA`;

const text = deps.texts.translator("de-DE", "preview");
const open = (token: string | string[], jar: Jar = {}) =>
  request(app)
    .get("/preview")
    .query({ share: token })
    .set({ Host: "de.localhost", Cookie: header(jar) });
const post = (fields: object, headers: Record<string, string> = { "Sec-Fetch-Site": "same-origin" }) =>
  request(app)
    .post("/preview")
    .set({ Host: "de.localhost", ...headers })
    .type("form")
    .send(fields);
const previewed = async (jar: Jar) =>
  (await request(app).get(`${base}/auth/checkauth`).set("Cookie", header(jar)).expect(200)).body;
const shared = { status: "SUCCESS", dateTime: christmas, abTestName: "footer-promotion", abTestGroup: "B" };

describe("a link to a preview", () => {
  it("opens the page after a sign-in without script", async () => {
    const $ = load((await open(share).expect(200)).text);
    expect([$(".sf-notification").length, $("[name=share]").attr("type")]).toEqual([0, "hidden"]);
    const fields = { user, share: $("[name=share]").val() };
    const wrong = await post({ ...fields, password: "wrong password" }).expect(422);
    expect(load(wrong.text)("[name=share]").val()).toBe(share);
    const right = await post({ ...fields, password }).expect(303);
    const jar = keep({}, cookiesOf(right));
    const target = new URL(String(right.headers.location), "http://de.localhost");
    expect([target.host, target.pathname]).toEqual(["de.localhost", "/preview"]);
    const opened = await open(target.searchParams.get("share") ?? "", jar).expect(303);
    expect(opened.headers).toMatchObject({ location: "/bag?a=b", "cache-control": "private, no-store" });
    expect(await previewed(keep(jar, cookiesOf(opened)))).toEqual(shared);
  });

  it("offers to sign in when it is invalid", async () => {
    for (const jar of [{}, sharing]) {
      const { text: html } = await open(forged, jar).expect(410);
      const $ = load(html);
      expect($(".sf-notification").text()).toContain(text("signIn.badLink"));
      expect($("[name=share]")).toHaveLength(0);
      expect(html).not.toContain(forged);
      expect(markupFaults(html)).toEqual([]);
    }
    const right = await post({ user, password, share: forged }).expect(303);
    expect(right.headers.location).toBe("/");
  });

  it.each([
    [""],
    ["x.y.z"],
    ["//evil.example"],
    ["https://evil.example/"],
    [sharing.PreviewContext ?? ""],
    [[share, share]],
  ])("is invalid with any other token: %j", async (bad) => {
    expect((await open(bad, sharing).expect(410)).headers).not.toHaveProperty("location");
    const { headers } = await post({ user, password, share: bad }).expect(303);
    expect(headers.location).toBe("/");
  });

  it("isn't logged", async () => {
    logs.length = 0;
    const jar = await signIn(app, db, "other@shop.example");
    for (const token of [share, forged]) {
      await open(token);
      await open(token, jar);
      await post({ user, password: "wrong password", share: token });
      await post({ user, password, share: token });
    }
    await call(app, `${base}/share`, sharing).send({ path: "/bag?a=b" });
    await expect.poll(() => logs.filter(({ route }) => route === "/preview").length).toBe(8);
    const text = JSON.stringify(logs);
    for (const secret of [share, forged, "share=", "/bag"]) expect(text).not.toContain(secret);
  });
});

describe.each(sites)("the staff sign-in page of $site", ({ localHost, locale }) => {
  it("is a plain form in the site's language, neither framed, cached nor indexed", async () => {
    const text = deps.texts.translator(locale, "preview");
    const { text: html, headers } = await request(app).get("/preview").set("Host", localHost).expect(200);
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
});

describe("the staff sign-in page", () => {
  it("redirects to the shop, or says that user or password is wrong", async () => {
    const right = await post({ user, password }).expect(303);
    expect(right.headers.location).toBe("/");
    expect(Object.keys(keep({}, cookiesOf(right))).sort()).toEqual(["CobraAuthToken", "StaffAuthToken", "preview"]);
    const wrong = await post({ user, password: "wrong password" }).expect(422);
    const $ = load(wrong.text);
    expect($(".sf-notification").text()).toContain(text("signIn.wrong"));
    expect([$("[name=user]").val(), $("[name=password]").val()]).toEqual([user, undefined]);
    expect(wrong.text).not.toContain("wrong password");
  });

  it.each([[{}], [{ user: ["a", "b"], password: ["a", "b"] }], [{ user: "x".repeat(1_000), password }]])(
    "treats malformed fields as a wrong password: %j",
    async (fields) => {
      await post(fields).expect(422);
    },
  );

  it("refuses a form of another site", async () => {
    for (const headers of [{}, { "Sec-Fetch-Site": "cross-site" }]) await post({ user, password }, headers).expect(403);
  });

  it("asks to wait after too many attempts", async () => {
    for (let count = 0; count < 5; count++) await post({ user: "slow@shop.example", password: "x" }).expect(422);
    const answer = await post({ user: "slow@shop.example", password: "x" }).expect(429);
    expect(answer.text).toContain(text("signIn.tooMany"));
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  });

  it("answers 503 when a table is missing", async () => {
    const store = await openTestStore(testLogger);
    const broken = await createTestApp({ store });
    await store.db.schema.dropTable("rate_limit").execute();
    const form = request(broken.app).post("/preview").set("Sec-Fetch-Site", "same-origin").type("form");
    const answer = await form.send({ user, password }).expect(503);
    expect(answer.text).toContain(text("signIn.unavailable"));
  });
});
