import { gzipSync } from "node:zlib";
import { load } from "cheerio";
import { parseSetCookie } from "cookie";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { waitingTime } from "../../../../client/rules/waiting-time.ts";
import { addAccount } from "../../../../server/accounts/accounts.ts";
import type { Site } from "../../../../server/sites/countries.ts";
import { openStore } from "../../../../server/store/open-store.ts";
import { email, password } from "../../../support/login-test.ts";
import { markupFaults } from "../../../support/markup-faults.ts";
import { startStub } from "../../../support/start-stub.ts";
import { countries, createTestApp, siteOf, sites, testLogger, texts } from "../../../support/test-app.ts";
import { createStorePlace } from "../../../support/test-store.ts";

const { app, deps, logs } = await createTestApp();
const home = siteOf("DE");
/** Two sites for behaviour that differs only in its words. */
const twoLanguages = [home, siteOf("HU")];
const sessionCookies = ["LoginToken", "login", "LongtermToken"];
const nameless = "nameless@shop.example";
await addAccount(deps.store.db, "customer", { email, password, firstName: "Ada" });
await addAccount(deps.store.db, "customer", { email: nameless, password });

const get = (path = "/login", site = home) => request(app).get(path).set("Host", site.localHost).redirects(0);
const send = (path: string, fields: object, headers: Record<string, string>, { site = home, to = app } = {}) =>
  request(to)
    .post(path)
    .set({ Host: site.localHost, ...headers })
    .type("form")
    .send(fields)
    .redirects(0);
const origin = { Origin: `http://${home.localHost}` };
/** Sends the form as a browser does. */
const post = (fields: object, site = home) => send("/login", fields, { Origin: `http://${site.localHost}` }, { site });
const signOut = (cookie: string, headers: Record<string, string> = origin, to = app) =>
  send("/logout", {}, { Cookie: cookie, Accept: "text/html", ...headers }, { to });
const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers["set-cookie"] ?? []].flat().map((text) => parseSetCookie(String(text)));
const removedBy = (response: request.Response) =>
  cookiesOf(response).flatMap(({ name, value, expires }) => (value === "" && Number(expires) < 2 ? [name] : []));

/** Signs in, and returns what the browser sends from then on. */
async function signIn(address = email): Promise<string> {
  const cookies = cookiesOf(await post({ email: address, password }).expect(303));
  return cookies.flatMap(({ name, value }) => (value ? `${name}=${value}` : [])).join("; ");
}

/**
 * Returns what the header of a page says about its visitor: the link to log in or to the account, and the logout
 * button.
 */
async function headerOf({ localHost }: Site, cookie: string, from = app) {
  const { text } = await request(from).get("/unknown").set({ Host: localHost, Cookie: cookie }).expect(404);
  expect(markupFaults(text)).toEqual([]);
  const header = load(text)("body > header");
  const link = header.find('a[href="/login"], a[href="/account"]');
  const button = header.find("form[method=post][action='/logout'] button[type=submit]");
  return [link.attr("href"), link.text(), button.text()];
}

const session = await signIn();

it("the login page is the same for all visitors, whatever another one has sent", async () => {
  const shown = (await get().expect(200)).text.replaceAll(/nonce="[^"]+"/g, "");
  await post({ email }).expect(422);
  const again = await get("/login?redirect=/bag").set("Cookie", "LoginToken=ended").expect(200);
  expect(again.text.replaceAll(/nonce="[^"]+"/g, "")).toBe(shown);
  const chosen = await get().set("Cookie", "platform=desktop").expect(200);
  expect(load(chosen.text)("html").attr("data-platform")).toBe("CLASSIC");
});

describe.each(sites)("the login page of $site", (site) => {
  const text = texts.translator(site.locale, "login");

  it("has a header, the form, the footer and its addresses", async () => {
    const response = await get("/login?redirect=/bag", site).expect(200);
    expect(markupFaults(response.text)).toEqual([]);
    const $ = load(response.text);
    expect($("html").attr("lang")).toBe(site.locale);
    expect($("title").text()).toBe(`${text("title")} – Storefront`);
    expect($("header, main, footer[data-fragment=footer]")).toHaveLength(3);
    const form = $("main [data-island=login] form");
    expect(form.attr()).toMatchObject({ action: "/login", method: "post" });
    expect(form.find("[name=email]").attr()).toMatchObject({ type: "email", autocomplete: "username" });
    expect(form.find("[name=password]").attr()).toMatchObject({ type: "password", autocomplete: "current-password" });
    expect(form.find("[name=stayLoggedIn]").attr()).toMatchObject({ type: "checkbox" });
    expect(form.find("[name=stayLoggedIn]").attr("checked")).toBeUndefined();
    expect(form.find("[name=site]").attr("value")).toBe(site.site);
    for (const address of [site.login.forgottenPassword, site.login.register])
      expect(form.find(`a[href="${address}"]`).text()).toMatch(/\S/);
    expect(form.find("[role=alert]").text()).toBe("");

    expect($("link[rel=canonical]").attr("href")).toBe(`${site.origin}/login`);
    expect($("link[rel=alternate][media]").attr("href")).toBe(`${site.origin}/m/login`);
    const inApp = `http/${new URL(site.origin).host}/login`;
    const apps = $("link[rel=alternate]:not([media])").map((_index, link) => $(link).attr("href"));
    expect(apps.get()).toEqual([
      `android-app://${site.apps?.android}/${inApp}`,
      `ios-app://${site.apps?.ios}/${inApp}`,
    ]);
    expect($("meta[name=robots]")).toHaveLength(0);
  });
});

it("the login page of a site without native apps links to none", async () => {
  const { apps: _apps, ...site } = home;
  const changed = { ...countries, forHost: () => site };
  const { app } = await createTestApp({ countries: changed });
  const { text } = await request(app).get("/login").set("Host", home.localHost).expect(200);
  expect(text).toContain(`<link rel="canonical" href="${home.origin}/login"`);
  expect(text).not.toContain("-app://");
});

describe("the login form", () => {
  const text = texts.translator(home.locale, "login");

  it.each(twoLanguages)("answers 422 in $locale, and names the fields that are missing", async (site) => {
    const text = texts.translator(site.locale, "login");
    const { text: html } = await post({ email: "", password: "" }, site).expect(422);
    expect(markupFaults(html)).toEqual([]);
    const $ = load(html);
    const invalid = $("[aria-invalid=true]").map((_index, field) => $(field).attr("name"));
    expect(invalid.get()).toEqual(["email", "password"]);
    const named = $("main .sf-error-summary a").map((_index, link) => $(link).text());
    expect(named.get()).toEqual([text("error.email.required"), text("error.password.required")]);
    const second = load((await post({ email: "Anna@shop.example" }, site).expect(422)).text);
    expect(second("[aria-invalid=true]").attr("name")).toBe("password");
    expect(second("[name=email]").attr("value")).toBe("Anna@shop.example");
  });

  it("stays on the page for small screens after a wrong login", async () => {
    const actionOf = (html: string) => load(html)("main [data-island=login] form").attr("action");
    const opened = await get("/m/login").expect(200);
    expect(actionOf(opened.text)).toBe("/m/login");
    const answered = await send("/m/login", { email, password: "wrong horse" }, origin).expect(422);
    expect(actionOf(answered.text)).toBe("/m/login");
  });

  it("answers alike for a wrong password and an unknown address, and keeps no password", async () => {
    for (const address of ["unknown@shop.example", email]) {
      const response = await post({ email: address, password: "wrong horse", stayLoggedIn: "on" }).expect(422);
      const $ = load(response.text);
      expect($("[role=alert]").text()).toContain(text("error.unauthorized"));
      expect($("title").text()).toMatch(
        new RegExp(`^${texts.translator(home.locale, "widgets")("notification.error")}: `),
      );
      expect($("[name=email]").attr("value")).toBe(address);
      expect($("[name=stayLoggedIn]").attr("checked")).toBeDefined();
      expect($("[name=password]").attr("value")).toBeUndefined();
      expect(response.text).not.toContain("wrong horse");
    }
    expect(JSON.stringify(logs)).not.toMatch(/unknown@shop|wrong horse/);
  });

  it("is neither cached nor framed", async () => {
    for (const response of [await get(), await post({})]) {
      expect(response.headers).toMatchObject({ "cache-control": "private, no-store", "x-frame-options": "DENY" });
      const policy = String(response.headers["content-security-policy"]);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]{24}'/);
    }
    expect((await get("/")).headers["x-frame-options"]).toBe("SAMEORIGIN");
  });

  it("sets the cookies and redirects", async () => {
    const response = await post({ email, password, stayLoggedIn: "on" }).expect(303);
    expect(response.headers).toMatchObject({ location: "/", "cache-control": "private, no-store" });
    expect(cookiesOf(response).map(({ name, value }) => [name, value !== ""])).toEqual([
      ...[...sessionCookies, "KnownDevice"].map((name) => [name, true]),
      ["LoginRedirect", false],
    ]);
  });

  it("says how long to wait after too many attempts", async () => {
    const tries = { email: "often@shop.example", password: "wrong" };
    for (let count = 0; count < 5; count += 1) await post(tries).expect(422);
    const response = await post(tries).expect(429);
    const seconds = Number(response.headers["retry-after"]);
    expect(seconds).toBeGreaterThan(0);
    const alert = load(response.text)("[role=alert]").text();
    expect(alert).toContain(text("error.throttled"));
    expect(alert).toContain(waitingTime(seconds, home.locale));
  });

  it("is shown again with 503 while the store is unavailable", async () => {
    const store = await openStore({ ...(await createStorePlace()), logger: testLogger });
    const broken = await createTestApp({ store });
    await store.close();
    const response = await send("/login", { email, password }, origin, { to: broken.app }).expect(503);
    const $ = load(response.text);
    expect($("[role=alert]").text()).toContain(text("error.unavailable"));
    expect($("[name=email]").attr("value")).toBe(email);
    expect(JSON.stringify(broken.logs)).not.toMatch(new RegExp(`${password}|${email}`));
  });

  it.each([
    ["more than 8 KB", { email, password: "x".repeat(8_200) }, 413],
    ["more than 30 fields", Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`f${index}`, "1"])), 413],
    ["a field twice", { email: [email, email], password }, 400],
    ["an unknown field", { email, password, admin: "1" }, 400],
    ["an address that is too long", { email: `${"a".repeat(260)}@shop.example`, password }, 400],
  ])("refuses %s", async (_name, fields, status) => {
    const response = await post(fields).expect(status);
    expect(response.text).not.toContain(password);
  });

  it("refuses what is compressed", async () => {
    const sent = send("/login", gzipSync(`email=${email}`), { ...origin, "Content-Encoding": "gzip" });
    await sent.serialize((body) => body).expect(415);
  });

  it("takes the site from the form when the host belongs to none", async () => {
    const sent = send("/login", { site: "HU" }, { Host: "localhost", Origin: "http://localhost" });
    expect(load((await sent.expect(422)).text)("html").attr("lang")).toBe("hu-HU");
  });
});

describe("a form that signs in or out", () => {
  const refusal = texts.translator(home.locale, "page", home.facts)("refused.heading");

  it.each([
    ["nothing", {}],
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
    ["another origin, to an older browser", { Referer: "https://evil.example/de.localhost" }],
  ])("is refused when it comes from %s", async (_name, headers) => {
    const { text } = await send("/login", { email, password }, { ...headers, Accept: "text/html" }).expect(403);
    expect(load(text)("h1").text()).toBe(refusal);
    expect(cookiesOf(await signOut(session, headers).expect(403))).toEqual([]);
    expect((await headerOf(home, session))[0]).toBe("/account");
  });

  it.each([
    ["Sec-Fetch-Site", "same-origin"],
    ["Referer", `http://${home.localHost}/login?redirect=%2Fbag`],
  ])("is accepted as same-origin by %s", async (name, value) => {
    await send("/login", { email, password }, { [name]: value }).expect(303);
  });
});

describe("the redirect after a login", () => {
  it("leads to the stored path", async () => {
    const stored = cookiesOf(await get("/login?redirect=%2Fbag%3Fstep%3D2%23address").expect(200));
    expect(stored).toMatchObject([{ name: "LoginRedirect", value: "/bag?step=2#address", path: "/", sameSite: "lax" }]);
    const response = await post({ email, password })
      .set("Cookie", `LoginRedirect=${encodeURIComponent("/bag?step=2#address")}`)
      .expect(303);
    expect(response.headers.location).toBe("/bag?step=2#address");
    expect(removedBy(response)).toContain("LoginRedirect");
  });

  it.each([
    ["/login", "", "/"],
    ["/m/login?redirect=/bag", "", "/bag"],
    ["/login", "%2Fwishlist", "/wishlist"],
    ["/login", "%2Flogin", "/"],
    ["/login", 'j:{"a":1}', "/"],
  ])("leads customers who are signed in already from %s (stored: %s) to %s", async (path, stored, target) => {
    const response = await get(path).set("Cookie", `${session}; LoginRedirect=${stored}`);
    expect([response.status, response.headers.location]).toEqual([303, target]);
  });

  it.each(["//evil.example", "https://evil.example/bag", "/\\evil.example"])(
    "leads to no other site: %j",
    async (target) => {
      expect(cookiesOf(await get(`/login?redirect=${encodeURIComponent(target)}`).expect(200))).toEqual([]);
      const stored = `${session}; LoginRedirect=${encodeURIComponent(target)}`;
      const { headers } = await get().set("Cookie", stored).expect(303);
      expect(headers.location).toBe("/");
    },
  );

  it.each([
    ["the credential alone", (cookies: string) => cookies.replace(/LoginToken=[^;]+; /, "")],
    ["a clock that has run down", (cookies: string) => cookies.replace(/LoginToken=[^;]+/, `LoginToken=${clock(-5)}`)],
    ["another credential", (cookies: string) => cookies.replace(/; login=[^;]+/, "; login=a.b.c")],
  ])("isn't made for a browser with %s", async (_name, change) => {
    await get().set("Cookie", change(session)).expect(200);
  });
});

it.each(twoLanguages)("the header greets signed-in customers in $locale", async (site) => {
  const text = (name?: string) => texts.translator(site.locale, "page", { name });
  expect(await headerOf(site, "")).toEqual(["/login", text()("account.login"), ""]);
  const greeting = text("Ada")("account.signedIn");
  expect(await headerOf(site, session)).toEqual(["/account", greeting, text()("account.logout")]);
});

describe("the header", () => {
  const text = texts.translator(home.locale, "page", { name: nameless });

  it("signs out without script, for all copies of the cookies", async () => {
    const cookie = await signIn();
    const response = await signOut(cookie).expect(303);
    const headers = { location: "/", "clear-site-data": '"cache"', "cache-control": "no-store" };
    expect(response.headers).toMatchObject(headers);
    expect(removedBy(response)).toEqual(sessionCookies);
    expect((await headerOf(home, cookie))[0]).toBe("/login");
  });

  it("shows the address of a customer without a name", async () => {
    expect((await headerOf(home, await signIn(nameless)))[1]).toBe(text("account.signedIn"));
  });

  it("greets nobody while the store is unavailable, with one log line", async () => {
    const store = await openStore({ ...(await createStorePlace()), logger: testLogger });
    const broken = await createTestApp({ store });
    await store.close();
    expect((await headerOf(home, session, broken.app))[0]).toBe("/login");
    expect(broken.logs.filter(({ level }) => level !== 30)).toMatchObject([
      { level: 40, msg: "session lookup failed" },
    ]);
  });
});

describe("with a real login service", () => {
  const text = texts.translator(home.locale, "page");
  const removal = "login=; Max-Age=0; Path=/";

  it.each([
    [204, 303, []],
    [401, 303, sessionCookies],
    [302, 503, []],
    [500, 503, []],
  ])("the logout, answered with %d, is a %d", async (answer, expected, removed) => {
    const headers = answer === 204 ? { "Set-Cookie": removal } : {};
    const stub = await startStub((_request, response) => response.writeHead(answer, headers).end());
    const real = await createTestApp({ upstreams: { login: stub.origin } });
    const response = await signOut(session, origin, real.app).expect(expected);
    if (answer === 204) expect(response.headers["set-cookie"]).toEqual([removal]);
    else expect(removedBy(response)).toEqual(removed);
    const [call] = stub.requests;
    expect([call?.method, call?.url]).toEqual(["POST", "/service/login/api/v1/logout"]);
    expect(call?.headers).toMatchObject({ "x-hunter-csrf": "1", cookie: expect.stringMatching(/^login=[^;]+$/) });
  });

  it("a clock and a credential are enough for the header, and to be led on by the login page", async () => {
    const stub = await startStub((_request, response) => response.destroy());
    const { app: real } = await createTestApp({ upstreams: { login: stub.origin } });
    expect(await headerOf(home, session, real)).toEqual(["/account", text("account.own"), text("account.logout")]);
    const Cookie = `LoginToken=${clock(600)}; login=abc; LoginRedirect=%2Fwishlist`;
    const response = await request(real).get("/login").set({ Host: home.localHost, Cookie }).expect(303);
    expect(response.headers.location).toBe("/wishlist");
    const lone = { Host: home.localHost, Cookie: `LoginToken=${clock(600)}` };
    expect(removedBy(await request(real).get("/login").set(lone).expect(200))).toEqual(sessionCookies);
    expect(stub.requests).toEqual([]);
  });
});

it("the login page removes a clock without credentials", async () => {
  expect(
    removedBy(
      await get()
        .set("Cookie", `LoginToken=${clock(600)}`)
        .expect(200),
    ),
  ).toEqual(sessionCookies);
});

it("the login page removes the cookies of a revoked session", async () => {
  await deps.store.db.deleteFrom("session").execute();
  expect(removedBy(await get().set("Cookie", session).expect(200))).toEqual(sessionCookies);
});

/** A session's clock that ends so many seconds from now. */
function clock(seconds: number): string {
  const now = Math.floor(Date.now() / 1000);
  return `a.${Buffer.from(JSON.stringify({ exp: now + seconds, ren: now })).toString("base64url")}.c`;
}
