import { load } from "cheerio";
import request, { type Response } from "supertest";
import { describe, expect, it } from "vitest";
import { offeredCategories } from "../../../../client/rules/categories.ts";
import type { Site } from "../../../../server/sites/countries.ts";
import { blockText, openPage, pageText, sendForm } from "../../../support/newsletter-pages.ts";
import { lastMail, recordsOf, signUpOf, subscriptionOf } from "../../../support/newsletter-test.ts";
import { createTestApp, siteOf, sites, texts } from "../../../support/test-app.ts";

const path = "/newsletter/preferences";
const { app, deps, logs } = await createTestApp({ trustProxy: ["loopback"] });
const { db } = deps.store;
const [de, tr] = [siteOf("DE"), siteOf("TR")];
const textOf = ({ locale }: Site) => texts.translator(locale, "preferences");
const open = (site: Site, query = "") => openPage(app, path + query, site);
const send = (site: Site, fields: object | string, headers: Record<string, string> = {}) =>
  sendForm(app, path, fields, { Host: site.localHost, ...headers });

let people = 0;
/** Subscribes a new address, and returns the tokens of its mails. */
async function subscribe(site: Site) {
  people++;
  const email = `person-${people}@preferences.example`;
  const headers = { Host: site.localHost };
  await sendForm(app, "/newsletter", signUpOf(email), headers).expect(303);
  const { subscriberToken } = await lastMail(db, email, "confirm");
  await sendForm(app, "/newsletter/confirm", { token: subscriberToken }, headers).expect(303);
  const { preferencesToken: token = "", unsubscribeToken } = await lastMail(db, email, "welcome");
  const stored = () => subscriptionOf(db, email, site.site);
  return { email, token, unsubscribeToken, subscriberToken, stored };
}

/** Expects a page that no cache keeps and that sends its URL to no other origin. */
function expectPrivatePage(answer: Response, status: number, { locale, site }: Site) {
  expect([answer.status, answer.type]).toEqual([status, "text/html"]);
  expect(answer.headers).toMatchObject({ "cache-control": "private, no-store", "referrer-policy": "same-origin" });
  const $ = load(answer.text);
  expect($("html").attr("lang")).toBe(locale);
  expect($("footer[data-fragment=footer]").attr("data-site")).toBe(site);
  expect($("meta[name=robots]").attr("content")).toBe("noindex");
  return $;
}

/** Expects the page that only asks for a link. */
function expectRequestPage(answer: Response, status: number, site: Site) {
  const $ = expectPrivatePage(answer, status, site);
  expect($("main form")).toHaveLength(1);
  expect($(`main form[method=post][action='${path}'] [name=email]`)).toHaveLength(1);
  return $;
}

it.each(sites)(
  "the subscriber's page of $site shows names, topics and the consent, in its language, and changes nothing until its form is sent",
  async (site) => {
    const { token, stored, email } = await subscribe(site);
    const before = await stored();
    const $ = expectPrivatePage(await open(site, `?token=${token}`), 200, site);
    const page = textOf(site);
    expect($("h1").text()).toBe(page("title"));
    expect(
      $("legend")
        .map((_, one) => $(one).text())
        .get(),
    ).toEqual([page("person.heading"), page("categories.heading"), blockText(site)("personalisedOffers.heading")]);
    expect($("main [name=firstName]").val()).toBe("Ada");
    expect($("main [name=salutation]").val()).toBe("MRS");
    expect(
      $("main [name=categories]")
        .map((_, one) => $(one).attr("value"))
        .get(),
    ).toEqual(offeredCategories({}));
    expect(
      $("main [name=consents]")
        .map((_, one) => $(one).attr("value"))
        .get(),
    ).toEqual(["DNE"]);
    expect($("main :checked:not(option)")).toHaveLength(0);
    expect($("main").text()).not.toMatch(/undefined|\{\{/);
    expect($("main form[action='/newsletter/unsubscribe'] [name=token]").val()).toBe(token);
    expect($("main script")).toHaveLength(0);
    expect(await stored()).toEqual(before);
    expect(await recordsOf(db, email, site.site)).toHaveLength(2);
  },
);

describe.each([siteOf("AT"), tr])("the subscriber's page of $site", (site) => {
  it("saves what its form sends, and says so", async () => {
    const { token, stored, email } = await subscribe(site);
    const fields = { token, salutation: "MR", firstName: " Eva  Maria ", lastName: "Muster" };
    const ticked = `&categories=COFFEE&categories=STORE&consents=DNE`;
    const { headers } = await send(site, new URLSearchParams(fields) + ticked).expect(303);
    const $ = expectPrivatePage(await openPage(app, String(headers.location), site), 200, site);
    expect($("main .sf-notification").text()).toContain(textOf(site)("saved"));
    expect(
      $("main :checked:not(option)")
        .map((_, one) => $(one).attr("value"))
        .get(),
    ).toEqual([...["COFFEE", "STORE", "DNE"]]);
    expect(await stored()).toMatchObject({
      salutation: "MR",
      firstName: "Eva Maria",
      lastName: "Muster",
      categories: '["COFFEE","STORE"]',
      consents: '["NEWSLETTER","DNE"]',
    });
    const proof = (await recordsOf(db, email, site.site)).findLast(({ event }) => event === "changed");
    expect(proof?.language).toBe(site.locale);
    expect(proof?.text?.split("\n").at(-1)).toBe(textOf(site)("submit"));

    await send(site, fields).expect(303);
    expect(await stored()).toMatchObject({ categories: "[]", consents: '["NEWSLETTER"]' });
  });

  it("ends the subscription, and says after that that it has ended", async () => {
    const { token, stored } = await subscribe(site);
    await sendForm(app, "/newsletter/unsubscribe", { token }, { Host: site.localHost }).expect(303);
    expect((await stored())?.state).toBe("withdrawn");
    for (const [answer, status] of [
      [await open(site, `?token=${token}`), 200],
      [await send(site, { token, firstName: "Eva" }), 422],
    ] as const) {
      const $ = expectPrivatePage(answer, status, site);
      expect($("main").text()).toContain(textOf(site)("ended.text"));
      expect($("main a").attr("href")).toBe("/subscribenewsletter");
      expect($("main form")).toHaveLength(0);
    }
    expect((await stored())?.firstName).toBeNull();
  });

  it("shows only the end for a token that may do no more, with a way to ask for the other", async () => {
    const { unsubscribeToken, subscriberToken, stored } = await subscribe(site);
    for (const token of [unsubscribeToken, subscriberToken])
      for (const [answer, status] of [
        [await open(site, `?token=${token}`), 200],
        [await send(site, { token, firstName: "Eva" }), 422],
      ] as const) {
        const $ = expectPrivatePage(answer, status, site);
        expect($("h1").text()).toBe(pageText(site)("unsubscribe.title"));
        expect(
          $("main [name]")
            .map((_, one) => $(one).attr("name"))
            .get(),
        ).toEqual(["token", "site", "email"]);
        expect($("main h2").text()).toBe(textOf(site)("request.heading"));
      }
    expect(await stored()).toMatchObject({ state: "confirmed", firstName: "Ada" });
  });

  it("says of a token that nobody has that the link isn't valid, and mails a new one to subscribers", async () => {
    for (const token of ["unknown", "%00", "a".repeat(1_000)]) {
      const $ = expectRequestPage(await open(site, `?token=${token}`), 200, site);
      expect($("main .sf-notification").text()).toContain(textOf(site)("unknown"));
    }
    expectRequestPage(await send(site, { token: "unknown", firstName: "Eva" }), 422, site);
    expect(expectRequestPage(await open(site), 200, site)("main .sf-notification")).toHaveLength(0);

    const { email } = await subscribe(site);
    await db.updateTable("mailOutbox").set({ createdAt: 0, queuedAt: 0 }).where("recipient", "=", email).execute();
    for (const asked of [email, "nobody@preferences.example"])
      await send(site, { email: asked }).expect(303).expect("Location", `${path}/requested`);
    const answer = await openPage(app, `${path}/requested`, site).expect(200);
    expect(load(answer.text)("main").text()).toContain(textOf(site)("requested.text"));
    const { preferencesToken } = await lastMail(db, email, "preferences");
    expectPrivatePage(await open(site, `?token=${preferencesToken}`), 200, site);
    const $ = expectRequestPage(await send(site, { email: "nobody" }), 422, site);
    expect($("main [name=email]").val()).toBe("nobody");
    expect($("main").text()).toContain(blockText(site)("error.email.invalid"));
  });
});

describe("the subscriber's page", () => {
  it("shows what is wrong, with the values as they were entered, and stores nothing", async () => {
    const { token, stored } = await subscribe(tr);
    const before = await stored();
    const wrong = { token, firstName: "https://evil.example", lastName: "", categories: "COFFEE" };
    const $ = expectPrivatePage(await send(tr, wrong), 422, tr);
    expect($("main [name=firstName]").val()).toBe("https://evil.example");
    expect($("main [name=categories]:checked").val()).toBe("COFFEE");
    const links = $("main .sf-error-summary a")
      .map((_, one) => $(one).attr("href"))
      .get();
    expect(links.map((id) => $(id).attr("name"))).toEqual(["firstName", "lastName"]);
    expect(await stored()).toEqual(before);
  });

  it("has the rules and the language of the subscription's site, wherever it is opened", async () => {
    const { token, stored } = await subscribe(tr);
    expectPrivatePage(await open(de, `?token=${token}`), 200, tr);
    expectPrivatePage(await send(de, { token, firstName: "", lastName: "" }), 422, tr);
    expect(await stored()).toMatchObject({ firstName: "Ada" });
    await open(de, "?site=XX").expect(400);
  });

  it("refuses forms of other sites' pages, unknown fields, categories and values", async () => {
    const { token, stored } = await subscribe(de);
    const before = await stored();
    for (const headers of [{ "Sec-Fetch-Site": "cross-site" }, { Origin: "https://evil.example" }])
      await send(de, { token, firstName: "Eve" }, headers).expect(403);
    for (const [fields, message] of [
      [{}, /token or email is missing/],
      ["token=a&token=b", /token/],
      ["email=a&email=b", /email/],
      [{ token, email: "eve@shop.example" }, /email/],
      [{ token, categories: "SHOES" }, /categories/],
      [{ token, consents: "ALL" }, /consents/],
      [{ token, salutation: "DR" }, /salutation/],
      [`token=${token}&firstName=a&firstName=b`, /firstName/],
    ] as const)
      await send(de, fields, { Accept: "*/*" }).expect(400, message);
    expect(await stored()).toEqual(before);
  });

  it("limits requests for links as sign-ups", async () => {
    const headers = { "X-Forwarded-For": "203.0.113.99" };
    const calls = Array.from({ length: 60 }, () => send(de, { email: "nobody@preferences.example" }, headers));
    await Promise.all(calls.map((call) => call.expect(303)));
    const answer = await send(de, { email: "nobody@preferences.example" }, headers);
    const $ = expectPrivatePage(answer, 429, de);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect($("main").text()).toContain(pageText(de)("tooMany.text"));
  });

  it("leaves neither token nor address nor name in the log", async () => {
    logs.length = 0;
    const { email, token } = await subscribe(de);
    await open(de, `?token=${token}`);
    await send(de, { token, firstName: "Rumpelstilz" }).expect(303);
    await send(de, { email }).expect(303);
    const lines = JSON.stringify(logs);
    expect(logs.map(({ route }) => route)).toContain(path);
    for (const secret of [email, token, "Rumpelstilz"]) expect(lines).not.toContain(secret);
  });

  it("is the page that unsubscribes where a locale lacks its texts", async () => {
    const without = {
      ...texts,
      find: (locale: string, namespace: string, key: string) =>
        namespace === "preferences" && locale === "tr-TR" ? undefined : texts.find(locale, namespace, key),
    };
    const own = await createTestApp({ texts: without, store: deps.store });
    const answer = await request(own.app).get(`${path}?token=any`).set("Host", tr.localHost).expect(303);
    expect(answer.headers.location).toBe("/newsletter/unsubscribe?token=any");
    await sendForm(own.app, path, { email: "a@shop.example" }, { Host: tr.localHost }).expect(404);
    await request(own.app).get(path).set("Host", de.localHost).expect(200);
  });
});
