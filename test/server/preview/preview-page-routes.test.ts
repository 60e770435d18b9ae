import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { type Jar, keep } from "../../support/login-test.ts";
import { markupFaults } from "../../support/markup-faults.ts";
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
} from "../../support/preview-test.ts";
import { createTestApp, sites } from "../../support/test-app.ts";

const { app, deps, logs } = await createTestApp({ trustProxy: ["loopback"] });
const { db } = deps.store;
const sharing = await choose(app, await signIn(app, db), christmas, "B");
const { body } = await call(app, `${base}/share`, sharing).send({ path: "/bag?a=b" }).expect(200);
const share = new URL(body.url).searchParams.get("share") ?? "";
const forged = `${share.slice(0, -9)}AAAAAAAAA`;

const open = (token: string | string[], localHost = "de.localhost", jar: Jar = {}) =>
  request(app)
    .get("/preview")
    .query({ share: token })
    .set({ Host: localHost, Cookie: header(jar) });
const post = (fields: object, localHost = "de.localhost") =>
  request(app)
    .post("/preview")
    .set({ Host: localHost, Origin: `http://${localHost}` })
    .type("form")
    .send(fields);
const previewed = async (jar: Jar) =>
  (await request(app).get(`${base}/auth/checkauth`).set("Cookie", header(jar)).expect(200)).body;
const shared = { status: "SUCCESS", dateTime: christmas, abTestName: "footer-promotion", abTestGroup: "B" };

describe.each(sites)("a link to a preview of $site", ({ localHost, locale }) => {
  const text = deps.texts.translator(locale, "preview");

  it("leads staff who are signed in to the page, as it was shared", async () => {
    const jar = await signIn(app, db, "other@shop.example");
    const answer = await open(share, localHost, jar).expect(303);
    expect(answer.headers).toMatchObject({ location: "/bag?a=b", "cache-control": "private, no-store" });
    expect(await previewed(keep(jar, cookiesOf(answer)))).toEqual(shared);
  });

  it("leads others there once they have signed in, by a form without script", async () => {
    const $ = load((await open(share, localHost).expect(200)).text);
    expect([$(".sf-notification").length, $("[name=share]").attr("type")]).toEqual([0, "hidden"]);
    const fields = { user, share: $("[name=share]").val() };
    const wrong = await post({ ...fields, password: "wrong password" }, localHost).expect(422);
    expect(load(wrong.text)("[name=share]").val()).toBe(share);
    const right = await post({ ...fields, password }, localHost).expect(303);
    const jar = keep({}, cookiesOf(right));
    const target = new URL(String(right.headers.location), `http://${localHost}`);
    expect([target.host, target.pathname]).toEqual([localHost, "/preview"]);
    const opened = await open(target.searchParams.get("share") ?? "", localHost, jar).expect(303);
    expect(opened.headers.location).toBe("/bag?a=b");
    expect(await previewed(keep(jar, cookiesOf(opened)))).toEqual(shared);
  });

  it("that isn't good says so, to everybody, and they can sign in", async () => {
    for (const jar of [{}, sharing]) {
      const { text: html } = await open(forged, localHost, jar).expect(410);
      const $ = load(html);
      expect($(".sf-notification").text()).toContain(text("signIn.badLink"));
      expect($("[name=share]")).toHaveLength(0);
      expect(html).not.toContain(forged);
      expect(markupFaults(html)).toEqual([]);
    }
    const right = await post({ user, password, share: forged }, localHost).expect(303);
    expect(right.headers.location).toBe("/");
  });
});

describe("a link to a preview", () => {
  it.each([
    [""],
    ["x.y.z"],
    ["//evil.example"],
    ["https://evil.example/"],
    [sharing.PreviewContext ?? ""],
    [[share, share]],
  ])("is none when it holds anything else: %j", async (bad) => {
    expect((await open(bad, "de.localhost", sharing).expect(410)).headers).not.toHaveProperty("location");
    const { headers } = await post({ user, password, share: bad }).expect(303);
    expect(headers.location).toBe("/");
  });

  it("leaves no trace in the log", async () => {
    logs.length = 0;
    const jar = await signIn(app, db, "other@shop.example");
    for (const token of [share, forged]) {
      await open(token);
      await open(token, "de.localhost", jar);
      await post({ user, password: "wrong password", share: token });
      await post({ user, password, share: token });
    }
    await call(app, `${base}/share`, sharing).send({ path: "/bag?a=b" });
    await expect.poll(() => logs.filter(({ route }) => route === "/preview").length).toBe(8);
    const text = JSON.stringify(logs);
    for (const secret of [share, forged, "share=", "/bag"]) expect(text).not.toContain(secret);
  });
});
