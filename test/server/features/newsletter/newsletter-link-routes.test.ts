import type { RequestListener } from "node:http";
import { load } from "cheerio";
import { sql } from "kysely";
import request, { type Response } from "supertest";
import { describe, expect, it } from "vitest";
import { day } from "../../../../client/rules/time.ts";
import { hashToken } from "../../../../server/features/newsletter/embedded/tokens.ts";
import type { Site } from "../../../../server/sites/countries.ts";
import { blockText, expectBlock, expectPage, openPage, pageText, sendForm } from "../../../support/newsletter-pages.ts";
import { lastMail, mailsTo, signUpOf, subscriptionOf } from "../../../support/newsletter-test.ts";
import { startStub, status } from "../../../support/start-stub.ts";
import { createTestApp, siteOf, sites, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const { app, deps, logs } = await createTestApp({ trustProxy: ["loopback"] });
const { db } = deps.store;
const de = siteOf("DE");
const press = (action: string, token: string, site: Site, headers: Record<string, string> = {}) =>
  sendForm(app, `/newsletter/${action}`, { token }, { Host: site.localHost, ...headers });
const open = (path: string, site: Site) => openPage(app, `/newsletter/${path}`, site);

let people = 0;
/** Signs a new address up, and returns the tokens of its mail. */
async function signUp({ site, localHost }: Site) {
  people++;
  const email = `person-${people}@links.example`;
  await sendForm(app, "/newsletter", signUpOf(email), { Host: localHost }).expect(303);
  const mail = await lastMail(db, email, "confirm");
  const state = async () => (await subscriptionOf(db, email, site))?.state;
  const mails = async () => (await mailsTo(db, email)).map(({ kind }) => kind);
  return {
    email,
    state,
    mails,
    refuse: mail.subscriberToken,
    confirm: mail.subscriberToken,
    unsubscribe: mail.unsubscribeToken,
  };
}

/** Expires a token, and backdates its mail so that the mailbox may get another. */
async function letExpire(token: string) {
  const of = db.selectFrom("newsletterToken").select("mailId").where("hash", "=", hashToken(token));
  await db
    .updateTable("mailOutbox")
    .set({ createdAt: Date.now() - 30 * day })
    .where("id", "in", of)
    .execute();
  await db
    .updateTable("newsletterToken")
    .set({ expiresAt: Date.now() - 1 })
    .where("hash", "=", hashToken(token))
    .execute();
}

function expectInvalidLink(answer: Response, status: number, site: Site) {
  const $ = expectBlock(answer, status, site);
  expect($("form[action='/newsletter']").text()).toContain(blockText(site)("bar.invalidLink"));
  expect($("meta[name=robots]").attr("content")).toBe("noindex");
}

/** Expects the page for an unsubscribe or refuse link that doesn't work. */
function expectWayOut(answer: Response, site: Site) {
  const $ = expectPage(answer, 422, site);
  expect($("main").text()).toContain(pageText(site)("unknownLink.text"));
  expect($("main a").attr("href")).toBe(site.newsletter.links.contact);
  expect($("main form")).toHaveLength(0);
}

it("the outcome of a link is in every site's language", async () => {
  for (const site of sites)
    for (const outcome of ["confirmed", "refused", "unsubscribed", "resent"] as const) {
      const $ = expectPage(await open(outcome, site), 200, site);
      expect($("h1").text(), site.site).toBe(pageText(site)(`${outcome}.title`));
      expect($("meta[name=robots]").attr("content"), site.site).toBe("noindex");
    }
});

describe.each(["AT", "TR"].map(siteOf))("the links of mails of $site", (site) => {
  const text = pageText(site);
  const actions = [
    ["confirm", "confirmed", "confirmed"],
    ["refuse", "refused", "refused"],
    ["unsubscribe", "withdrawn", "unsubscribed"],
  ] as const;

  it.each(actions)("to %s act by the button of their page only", async (action, state, outcome) => {
    const person = await signUp(site);
    const token = person[action];
    const $ = expectPage(await open(`${action}?token=${token}`, site), 200, site);
    expect($("h1").text()).toBe(text(`${action}.title`));
    expect($("meta[name=robots]").attr("content")).toBe("noindex");
    expect($(`form[action='/newsletter/${action}'][method=post] [name=token]`).attr("value")).toBe(token);
    expect($(`form[action='/newsletter/${action}'] button`).text()).toContain(text(`${action}.button`));
    expect(await person.state()).toBe("pending");
    expect(await person.mails()).toEqual(["confirm"]);

    const answer = await press(action, token, site);
    expect([answer.status, answer.headers.location]).toEqual([303, `/newsletter/${outcome}`]);
    expect(await person.state()).toBe(state);
    expect(await person.mails()).toEqual(action === "confirm" ? ["confirm", "welcome"] : ["confirm"]);
  });

  it("with an unknown token lead to the sign-up form or, to end a subscription, to the customer service", async () => {
    for (const token of ["unknown", "", "%00", "a".repeat(1_000)])
      expectInvalidLink(await open(`confirm?token=${token}`, site), 200, site);
    for (const action of ["confirm", "resend"]) expectInvalidLink(await press(action, "unknown", site), 422, site);
    for (const action of ["refuse", "unsubscribe"]) expectWayOut(await press(action, "unknown", site), site);
  });

  it("that have expired offer a new mail, once", async () => {
    const person = await signUp(site);
    await letExpire(person.confirm);
    for (const answer of [
      await open(`confirm?token=${person.confirm}`, site),
      await press("confirm", person.confirm, site),
    ]) {
      const $ = expectPage(answer, answer.status, site);
      expect($("main").text()).toContain(text("resend.text"));
      expect($("main form")).toHaveLength(1);
      expect($("form[action='/newsletter/resend'] button").text()).toContain(text("resend.button"));
      expect($("form[action='/newsletter/resend'] [name=token]").attr("value")).toBe(person.confirm);
    }
    expect(await person.state()).toBe("pending");

    for (let i = 0; i < 2; i++) {
      const answer = await press("resend", person.confirm, site);
      expect([answer.status, answer.headers.location]).toEqual([303, "/newsletter/resent"]);
      expect(await person.mails()).toEqual(["confirm", "confirm"]);
    }
    await press("confirm", (await lastMail(db, person.email, "confirm")).subscriberToken, site).expect(303);
    expect(await person.state()).toBe("confirmed");
  });

  it("that confirm lead to a page with the voucher of the welcome mail, for nobody else", async () => {
    const person = await signUp(site);
    const { headers } = await press("confirm", person.confirm, site).expect(303);
    const { voucher } = await lastMail(db, person.email, "welcome");
    const cookie = [headers["set-cookie"]].flat().join();
    expect(cookie).toMatch(/; Path=\/newsletter\/confirmed; .*HttpOnly; SameSite=Lax/);
    const codeFor = async (cookies: string) =>
      expectPage(await open("confirmed", site).set("Cookie", cookies), 200, site)(".sf-message-code").text();
    expect([await codeFor(cookie), await codeFor("")]).toEqual([voucher?.code ?? "none", ""]);
  });

  it("that were used say that the subscription is confirmed, for as long as it is", async () => {
    const person = await signUp(site);
    await press("confirm", person.confirm, site).expect(303);
    const again = expectPage(await open(`confirm?token=${person.confirm}`, site), 200, site);
    expect(again("main").text()).toContain(text("alreadyConfirmed.text"));
    expect(again("main form")).toHaveLength(0);
    await press("confirm", person.confirm, site).expect("Location", "/newsletter/confirmed");
    expect(await person.mails()).toEqual(["confirm", "welcome"]);

    await press("unsubscribe", (await lastMail(db, person.email, "welcome")).unsubscribeToken, site).expect(303);
    expectInvalidLink(await open(`confirm?token=${person.confirm}`, site), 200, site);
    expectInvalidLink(await press("confirm", person.confirm, site), 422, site);
    expect(await person.state()).toBe("withdrawn");
  });
});

describe("the buttons of the pages that mails lead to", () => {
  it("accept tokens for their purpose only: one to unsubscribe confirms and refuses nothing", async () => {
    const person = await signUp(de);
    for (const action of ["confirm", "resend"]) {
      expectInvalidLink(await press(action, person.unsubscribe, de), 422, de);
    }
    expectWayOut(await press("refuse", person.unsubscribe, de), de);
    expect(await person.state()).toBe("pending");
  });

  it.each(["confirm", "refuse", "unsubscribe", "resend"])(
    "to %s are refused from other sites' pages",
    async (action) => {
      const person = await signUp(de);
      const token = action === "unsubscribe" ? person.unsubscribe : person.confirm;
      for (const headers of [{ "Sec-Fetch-Site": "cross-site" }, { Origin: "https://evil.example" }]) {
        await press(action, token, de, { ...headers }).expect(403);
      }
      await sendForm(app, `/newsletter/${action}`, {}, { Host: de.localHost }).expect(400, /token/);
      await sendForm(app, `/newsletter/${action}`, "token=a&token=b", { Host: de.localHost }).expect(400, /token/);
      expect(await person.state()).toBe("pending");
    },
  );

  it("show a page when the store can't be written or the real service fails", async () => {
    const store = await openTestStore(testLogger);
    const { origin } = await startStub(status(500));
    const failures = [
      [await createTestApp({ store }), "database statement failed"],
      [await createTestApp({ upstreams: { newsletter: origin } }), '"upstream":"newsletter","reason":"status 500"'],
    ] as const;
    await sql`PRAGMA query_only = on`.execute(store.db);
    for (const [broken, told] of failures) {
      const fields = { token: "secret" };
      expectPage(await sendForm(broken.app, "/newsletter/confirm", fields, { Host: de.localHost }), 503, de);
      expect(JSON.stringify(broken.logs)).toContain(told);
      expect(JSON.stringify(broken.logs)).not.toContain("secret");
    }
  });

  it("leave neither token nor address in the log", async () => {
    logs.length = 0;
    const person = await signUp(de);
    for (const action of ["confirm", "refuse", "unsubscribe"] as const) {
      await open(`${action}?token=${person[action]}`, de);
      await press(action, person[action], de);
    }
    await press("resend", person.confirm, de);
    const lines = JSON.stringify(logs);
    expect(logs.map(({ route }) => route)).toContain("/newsletter/confirm");
    for (const secret of [person.confirm, person.unsubscribe, person.email]) expect(lines).not.toContain(secret);
  });
});

describe("the address of List-Unsubscribe", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const addressOf = (api: string, token: string) =>
    `/service/newsletter/api/${api}/newsletter-subscribers/${token}/unsubscribe`;
  const get = (at: RequestListener, path: string, accept: string) =>
    request(at).get(path).set({ Accept: accept, Host: de.localHost });

  it.each(["internal", "private"])(
    "leads a browser to a button that ends the subscription, confirmed or not, and changes nothing (%s)",
    async (api) => {
      for (const state of ["pending", "confirmed"]) {
        const person = await signUp(de);
        if (state === "confirmed") await press("confirm", person.confirm, de).expect(303);
        const { headers } = await get(app, addressOf(api, person.unsubscribe), browser).expect(303);
        expect(headers.location).toBe(`/newsletter/preferences?token=${person.unsubscribe}`);
        expect(headers["cache-control"]).toContain("no-store");
        const page = await get(app, String(headers.location), browser).expect(200);
        expect(await person.state()).toBe(state);
        const form = load(page.text)("main form").first();
        expect([form.attr("method"), form.attr("action"), form.find("button").length]).toEqual([
          ...["post", "/newsletter/unsubscribe", 1],
        ]);
        await press("unsubscribe", String(form.find("[name=token]").val()), de).expect(303);
        expect(await person.state()).toBe("withdrawn");
      }
    },
  );

  it.each(["application/json", "*/*"])("stays a wrong method for a program that accepts %s", async (accept) => {
    const { headers, body } = await get(app, addressOf("internal", "any"), accept).expect(405);
    expect([headers.allow, body.type]).toEqual(["POST, OPTIONS", "METHOD_NOT_ALLOWED"]);
  });

  it("keeps the site that it names, and unsubscribes even if a real service can tell nothing", async () => {
    const stub = await startStub(status(500));
    const real = await createTestApp({ upstreams: { newsletter: stub.origin } });
    const { headers } = await get(real.app, `${addressOf("internal", "a%2Fb")}?site=AT`, browser).expect(303);
    expect(headers.location).toBe("/newsletter/preferences?token=a%2Fb&site=AT");
    const { headers: further } = await get(real.app, String(headers.location), browser).expect(303);
    expect(further.location).toBe("/newsletter/unsubscribe?token=a%2Fb&site=AT");
    expect(stub.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${addressOf("internal", "a%2Fb").replace("/unsubscribe", "/preferences")}`,
    ]);
  });
});
