import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { addAccount } from "../../../../../server/accounts/accounts.ts";
import { keep } from "../../../../support/cookie-jar.ts";
import { cookiesOf, password, user } from "../../../../support/preview-test.ts";
import { createTestApp, sites, testLogger } from "../../../../support/test-app.ts";
import { openTestStore } from "../../../../support/test-store.ts";

const { app, deps } = await createTestApp();
await addAccount(deps.store.db, "staff", { email: user, password });
const text = deps.texts.translator("de-DE", "preview");
const post = (fields: object, headers: Record<string, string> = { "Sec-Fetch-Site": "same-origin" }) =>
  request(app)
    .post("/preview")
    .set({ Host: "de.localhost", ...headers })
    .type("form")
    .send(fields);

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
