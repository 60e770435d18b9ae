import type { CheerioAPI } from "cheerio";
import { sql } from "kysely";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { honeypotName } from "../../../../client/rules/subscription.ts";
import type { NewsletterSubscription } from "../../../../schemas/types.ts";
import { subscriberPaths } from "../../../../server/features/newsletter/service.ts";
import type { Site } from "../../../../server/sites/countries.ts";
import { newAddress } from "../../../support/new-address.ts";
import { blockText, expectBlock, expectPage, openPage, pageText, sendForm } from "../../../support/newsletter-pages.ts";
import { mailsTo, signUpOf, subscriptionOf } from "../../../support/newsletter-test.ts";
import { onePerVariant } from "../../../support/one-per-variant.ts";
import { startStub, status } from "../../../support/start-stub.ts";
import { createTestApp, siteOf, sites, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const test = await createTestApp({ trustProxy: ["loopback"] });
const { db } = test.deps.store;
const de = siteOf("DE");
const post = (fields: object | string, site?: Site, headers?: Record<string, string>) =>
  sendForm(test.app, "/newsletter", fields, { ...(site && { Host: site.localHost }), ...headers });
const addressOf = ({ site }: Site, local: string) => `${local}@${site.toLowerCase().replace("_", "-")}.example`;

it("the form's address leads people who enter it to the sign-up page", async () => {
  const get = request(test.app).get("/newsletter").set("Accept", "text/html,*/*;q=0.8");
  await get.expect(303).expect("Location", "/subscribenewsletter");
  await request(test.app).get("/newsletter").expect(405).expect("Allow", "POST, OPTIONS");
});

const variants = onePerVariant(({ newsletter: { salutation, names, legals } }) => [salutation, names, legals]);

describe.each(variants)("the sign-up form of $site without script", (site) => {
  const text = blockText(site);

  it("redirects to a page that thanks, with the address in a cookie that is cleared then", async () => {
    const email = addressOf(site, "anna");
    const sent = await post(signUpOf(email), site);
    expect([sent.status, sent.headers.location]).toEqual([303, "/subscribenewsletter"]);
    expect(await subscriptionOf(db, email, site.site)).toMatchObject({ state: "pending", firstName: "Ada" });
    const [cookie = ""] = sent.get("Set-Cookie") ?? [];
    expect(cookie).toMatch(/Max-Age=60; Path=\/subscribenewsletter; .*HttpOnly; SameSite=Lax$/);

    const answer = await request(test.app)
      .get("/subscribenewsletter")
      .set({ Host: site.localHost, Cookie: cookie.split(";")[0] ?? "" });
    const $ = expectBlock(answer, 200, site);
    expect($("[role=status]").text()).toContain(text("success.heading"));
    expect($("[role=status]").text()).toContain(email);
    expect($("form[action='/newsletter'][hidden]")).toHaveLength(1);
    expect(answer.get("Set-Cookie")?.[0]).toMatch(
      /^NewsletterEmail=; Path=\/subscribenewsletter; Expires=Thu, 01 Jan 1970/,
    );
  });

  it("names every field that is missing, in the site's language", async () => {
    const $ = expectBlock(await post({ email: "" }, site), 422, site);
    const { salutation, names, familyNameFirst, legals } = site.newsletter;
    const missingNames = [
      ["firstName", text("error.firstName.required")],
      ["lastName", text("error.lastName.required")],
    ];
    if (familyNameFirst) missingNames.reverse();
    const expected = [
      ["email", text("error.email.required")],
      ...(salutation === "required" ? [["salutation", text("error.salutation.required")]] : []),
      ...(names === "required" ? missingNames : []),
      ...(legals ? [["consents", text("error.legals.required")]] : []),
    ];
    expect(faultsOf($)).toEqual(expected);
  });

  it("names a field whose text is far too long", async () => {
    const $ = expectBlock(await post(signUpOf(`${"a".repeat(3_000)}@shop.example`), site), 422, site);
    expect(faultsOf($)).toEqual([["email", text("error.email.tooLong")]]);
  });

  it("keeps the values beside the messages", async () => {
    const fields = signUpOf("anna@nowhere", {
      salutation: "DIVERS",
      firstName: "<b>",
      consents: ["DNE", "NEWSLETTER"],
    });
    const $ = expectBlock(await post(fields, site), 422, site);
    expect(faultsOf($)).toEqual([
      ["email", text("error.email.invalid")],
      ["firstName", text("error.name.invalid")],
    ]);
    expectValues($, fields, site);
  });
});

describe("a sign-up form", () => {
  it.each(["field", "query"])("is for the site of its %s, and thanks in its language", async (place) => {
    const site = siteOf("PL");
    const email = addressOf(site, place);
    const [path, code] = place === "query" ? ["/newsletter?site=PL", "DE"] : ["/newsletter", "PL"];
    const sent = await sendForm(test.app, path, { ...signUpOf(email), site: code }).expect(303);
    expectBlock(await request(test.app).get(sent.headers.location ?? ""), 200, site);
    expect(await subscriptionOf(db, email, "PL")).toBeDefined();
  });

  it.each([
    ["salutation", { salutation: "LORD" }],
    ["originAddition", { originAddition: "<script>" }],
    ["email", { email: ["a@shop.example", "b@shop.example"] }],
    ["constructor", { constructor: "x" }],
    ["site", { site: "XX" }],
  ])("is refused with an impossible %s, and the answer names it: %j", async (field, fields) => {
    const answer = await post({ ...signUpOf("nonsense@shop.example"), ...fields });
    expect([answer.status, answer.type]).toEqual([400, "text/plain"]);
    expect(answer.text).toContain(field);
    expect(await subscriptionOf(db, "nonsense@shop.example")).toBeUndefined();
  });

  it.each([
    ["has too many fields", Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, "x"])), {}],
    ["is too large", { email: "a".repeat(9_000) }, {}],
    ["isn't a form", JSON.stringify(signUpOf("json@shop.example")), { "Content-Type": "application/json" }],
    ["is in an unknown coding", "email=%E4", { "Content-Type": "application/x-www-form-urlencoded; charset=utf-7" }],
  ])("is refused when it %s", async (_what, body, headers) => {
    const answer = await post(body, de, headers);
    expect(answer.clientError).toBe(true);
  });

  it("may call its address newsletterEmail, choose categories, and name the prototype without effect", async () => {
    await post("newsletterEmail=own%40shop.example&categories=COFFEE&__proto__=x").expect(303);
    expect(await subscriptionOf(db, "own@shop.example")).toMatchObject({ categories: '["COFFEE"]', firstName: null });
    await post("email=own%40shop.example&__proto__%5Bemail%5D=x").expect(400, /__proto__\[email\]/);
  });

  it("is thanked for but not stored when a bot has filled in the hidden field", async () => {
    const answer = await post({ ...signUpOf("bot@shop.example"), [honeypotName]: "https://casino.example" });
    expect([answer.status, answer.headers.location]).toEqual([303, "/subscribenewsletter"]);
    expect(await subscriptionOf(db, "bot@shop.example")).toBeUndefined();
    expect(await mailsTo(db, "bot@shop.example")).toEqual([]);
  });

  it.each([
    [403, { "Sec-Fetch-Site": "same-site" }],
    [403, { Origin: "null" }],
    [303, { "Sec-Fetch-Site": "same-origin" }],
    [303, { Origin: `http://${de.localHost}` }],
    [303, {}],
  ])("is answered with %i from a page that the browser says is %j", async (expected, headers) => {
    const email = `${expected}-${Object.values(headers).join("").replaceAll(/\W/g, "")}@origin.example`;
    await post(signUpOf(email), de, { ...headers }).expect(expected);
    expect((await subscriptionOf(db, email)) !== undefined).toBe(expected === 303);
  });

  it("comes back with its values after too many from one network, whose other calls for mails are refused, too", async () => {
    const from = { "X-Forwarded-For": newAddress() };
    await Promise.all(Array.from({ length: 60 }, () => post(signUpOf("many@shop.example"), de, from).expect(303)));
    const fields = signUpOf("late@shop.example");
    const answer = await post(fields, de, from);
    const $ = expectBlock(answer, 429, de);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(60);
    expect($("[role=alert]").text()).toContain(blockText(de)("bar.technical"));
    expectValues($, fields, de);
    expect(await subscriptionOf(db, "late@shop.example")).toBeUndefined();
    const call = request(test.app)
      .post(subscriberPaths[0] ?? "")
      .set({ "X-hunter-csrf": "1", ...from });
    const refused = await call.set("Sec-Fetch-Site", "same-origin").send(fields).expect(429);
    expect(refused.body).toEqual({ type: "RATE_LIMITED", title: "too many sign-ups", status: 429 });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    const resent = await sendForm(test.app, "/newsletter/resend", { token: "any" }, { Host: de.localHost, ...from });
    expect(expectPage(resent, 429, de)("h1").text()).toBe(pageText(de)("tooMany.title"));
    expect(Number(resent.headers["retry-after"])).toBeGreaterThan(0);
  });

  it.each([
    ["store", "database statement failed"],
    ["upstream", "upstream failed"],
  ])("comes back with its values when the %s fails", async (part, told) => {
    const store = await openTestStore(testLogger);
    const newsletter = part === "upstream" ? (await startStub(status(500))).origin : undefined;
    const upstreams = { ...test.deps.upstreams, newsletter };
    const { app, logs } = await createTestApp({ store, upstreams, trustProxy: ["loopback"] });
    if (part === "store") await sql`PRAGMA query_only = on`.execute(store.db);
    const site = siteOf("TR");
    const fields = signUpOf("kept@shop.example");
    const $ = expectBlock(await sendForm(app, "/newsletter", fields, { Host: site.localHost }), 503, site);
    expect($("[role=alert]").text()).toContain(blockText(site)("bar.technical"));
    expectValues($, fields, site);
    expect(logs.filter(({ msg }) => msg !== "request")).toMatchObject([{ level: 40, msg: told }]);
    expect(JSON.stringify(logs)).not.toContain("kept@");
  });
});

describe("the sign-up page", () => {
  it("may be indexed on every site, and has one form", async () => {
    for (const site of sites) {
      const $ = expectBlock(await openPage(test.app, "/subscribenewsletter", site), 200, site);
      expect($("meta[name=robots]"), site.site).toHaveLength(0);
      expect($("form[action='/newsletter']"), site.site).toHaveLength(1);
      expect($("[role=status], [role=alert]").text(), site.site).toBe("");
    }
  });
});

/** Finds the fields marked as wrong, with the messages that screen readers read for them. */
function faultsOf($: CheerioAPI) {
  const messageOf = (ids = "") => ids.split(" ").map((id) => $(`[id="${id}"]`).text());
  return $("form[action='/newsletter'] [aria-invalid=true]")
    .get()
    .map(({ attribs }) => [attribs.name, messageOf(attribs["aria-describedby"]).join("")]);
}

function expectValues($: CheerioAPI, fields: NewsletterSubscription, { newsletter }: Site) {
  for (const name of ["email", "firstName", "lastName"] as const)
    expect($(`[name=${name}]`).attr("value")).toBe(fields[name]);
  expect($("[name=salutation] [selected]").attr("value")).toBe(fields.salutation);
  const checked = $("[name=consents][checked]")
    .get()
    .map((box) => $(box).attr("value") ?? "");
  expect(checked.toSorted()).toEqual(
    fields.consents?.filter((consent) => newsletter.legals || consent === "DNE").toSorted(),
  );
}
