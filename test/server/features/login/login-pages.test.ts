import { load } from "cheerio";
import { parseSetCookie } from "cookie";
import request from "supertest";
import { beforeAll, describe, expect, it } from "vitest";
import { waitingTime } from "../../../../client/rules/waiting-time.ts";
import { addAccount } from "../../../../server/accounts/accounts.ts";
import type { Site } from "../../../../server/sites/countries.ts";
import { markupFaults } from "../../../support/markup-faults.ts";
import { createTestApp, sites, texts } from "../../../support/test-app.ts";

const { app, deps, logs } = await createTestApp();
const email = "ada@shop.example";
const password = "correct horse battery staple";
const home = sites.filter(({ site }) => site === "DE");

beforeAll(async () => {
  await addAccount(deps.store.db, "customer", { email, password });
});

const get = (site: Site, path = "/login") => request(app).get(path).set("Host", site.localHost).redirects(0);
const send = ({ localHost }: Site, fields: object, headers: Record<string, string>) =>
  request(app)
    .post("/login")
    .set({ Host: localHost, ...headers })
    .type("form")
    .send(fields)
    .redirects(0);
/** Sends the form as a browser does. */
const post = (site: Site, fields: object) => send(site, fields, { Origin: `http://${site.localHost}` });
const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers["set-cookie"] ?? []].flat().map((text) => parseSetCookie(String(text)));

/** What a browser sends after a login. */
async function signIn(site: Site): Promise<string> {
  const cookies = cookiesOf(await post(site, { email, password }).expect(303));
  return cookies.flatMap(({ name, value }) => (value ? `${name}=${value}` : [])).join("; ");
}

it("the login page is rendered once for all visitors who see the same", async () => {
  let made = 0;
  const translator: typeof texts.translator = (locale, namespace, values) => {
    if (namespace === "login") made++;
    return texts.translator(locale, namespace, values);
  };
  const { app: counting } = await createTestApp({ texts: { ...texts, translator } });
  const layoutOf = async (path: string, cookie = "") => {
    const response = await request(counting).get(path).set({ Host: "de.localhost", Cookie: cookie }).expect(200);
    return [load(response.text)("html").attr("data-platform"), made];
  };
  expect(await layoutOf("/login")).toEqual([undefined, 1]);
  expect(await layoutOf("/m/login?redirect=/bag", "LoginToken=ended")).toEqual([undefined, 1]);
  expect(await layoutOf("/login", "platform=desktop")).toEqual(["CLASSIC", 2]);
  const form = request(counting).post("/login").set({ Host: "de.localhost", Origin: "http://de.localhost" });
  const failed = await form.type("form").send({ email }).expect(422);
  expect([load(failed.text)("[name=email]").attr("value"), made]).toEqual([email, 3]);
  expect(await layoutOf("/login")).toEqual([undefined, 3]);
});

describe.each(sites)("the login page of $site", (site) => {
  const text = texts.translator(site.locale, "login");

  it.each(["/login", "/m/login"])("has a header, the form and the footer at %s", async (path) => {
    const response = await get(site, path).expect(200);
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
    for (const address of [site.login.forgottenPassword, site.login.register]) {
      expect(form.find(`a[href="${address}"]`).text()).toMatch(/\S/);
    }
    expect(form.find("[role=alert]").text()).toBe("");
  });

  it("names its canonical address, the mobile one and those in the apps", async () => {
    const $ = load((await get(site, "/m/login?redirect=/bag")).text);
    expect($("link[rel=canonical]").attr("href")).toBe(`${site.origin}/login`);
    expect($("link[rel=alternate][media]").attr("href")).toBe(`${site.origin}/m/login`);
    const { host } = new URL(site.origin);
    const apps = $("link[rel=alternate]:not([media])").map((_index, link) => $(link).attr("href"));
    expect(apps.get()).toEqual([
      `android-app://${site.apps.android}/http/${host}/login`,
      `ios-app://${site.apps.ios}/http/${host}/login`,
    ]);
    expect($("meta[name=robots]")).toHaveLength(0);
  });

  it("is valid markup, with and without messages", async () => {
    expect(markupFaults((await get(site)).text)).toEqual([]);
    expect(markupFaults((await post(site, {})).text)).toEqual([]);
  });

  it("answers 422 and names the fields that are missing", async () => {
    const $ = load((await post(site, { email: "", password: "" }).expect(422)).text);
    expect(
      $("[aria-invalid=true]")
        .map((_index, field) => $(field).attr("name"))
        .get(),
    ).toEqual(["email", "password"]);
    expect(
      $("main .sf-error-summary a")
        .map((_index, link) => $(link).text())
        .get(),
    ).toEqual([text("error.email.required"), text("error.password.required")]);
    const second = load((await post(site, { email: "Anna@shop.example" }).expect(422)).text);
    expect(second("[aria-invalid=true]").attr("name")).toBe("password");
    expect(second("[name=email]").attr("value")).toBe("Anna@shop.example");
  });
});

describe.each(home)("the login page", (site) => {
  const text = texts.translator(site.locale, "login");

  it("answers 422 with the same message for a wrong password and an unknown address, and keeps no password", async () => {
    const tried = [`${site.site}@unknown.example`.toLowerCase(), email];
    for (const address of tried) {
      const response = await post(site, { email: address, password: "wrong horse", stayLoggedIn: "on" }).expect(422);
      const $ = load(response.text);
      expect($("[role=alert]").text()).toContain(text("error.unauthorized"));
      expect($("title").text()).toBe(
        `${texts.translator(site.locale, "widgets")("notification.error")}: ${text("title")} – Storefront`,
      );
      expect($("[name=email]").attr("value")).toBe(address);
      expect($("[name=stayLoggedIn]").attr("checked")).toBeDefined();
      expect($("[name=password]").attr("value")).toBeUndefined();
      expect(response.text).not.toContain("wrong horse");
    }
    await post(site, { email, password }).expect(303);
  });

  it("is neither cached nor framed", async () => {
    for (const response of [await get(site), await post(site, {})]) {
      expect(response.headers).toMatchObject({ "cache-control": "private, no-store", "x-frame-options": "DENY" });
      const policy = String(response.headers["content-security-policy"]);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]{24}'/);
    }
    expect((await get(site, "/")).headers["x-frame-options"]).toBe("SAMEORIGIN");
  });

  it("sets the cookies and redirects after a login without script", async () => {
    const response = await post(site, { email, password, stayLoggedIn: "on" }).expect(303);
    expect(response.headers).toMatchObject({ location: "/", "cache-control": "private, no-store" });
    const cookies = new Map(cookiesOf(response).map((cookie) => [cookie.name, cookie]));
    expect([...cookies.keys()]).toEqual(["LoginToken", "login", "LongtermToken", "KnownDevice", "LoginRedirect"]);
    expect(cookies.get("LongtermToken")?.value).toMatch(/\S/);
    expect(cookies.get("LoginRedirect")?.value).toBe("");
  });

  it("redirects to the stored path after a login", async () => {
    const stored = cookiesOf(await get(site, "/login?redirect=%2Fbag%3Fstep%3D2%23address").expect(200));
    expect(stored).toMatchObject([{ name: "LoginRedirect", value: "/bag?step=2#address", path: "/", sameSite: "lax" }]);
    const response = await post(site, { email, password })
      .set("Cookie", `LoginRedirect=${encodeURIComponent("/bag?step=2#address")}`)
      .expect(303);
    expect(response.headers.location).toBe("/bag?step=2#address");
    expect(cookiesOf(response)).toContainEqual(expect.objectContaining({ name: "LoginRedirect", value: "" }));
  });

  it("redirects signed-in customers", async () => {
    const cookies = await signIn(site);
    const redirects = async (path: string, cookie = cookies) => {
      const { status, headers } = await get(site, path).set("Cookie", cookie);
      return [status, headers.location];
    };
    expect(await redirects("/login")).toEqual([303, "/"]);
    expect(await redirects("/m/login")).toEqual([303, "/"]);
    expect(await redirects("/login?redirect=/bag")).toEqual([303, "/bag"]);
    expect(await redirects("/login", `${cookies}; LoginRedirect=%2Fwishlist`)).toEqual([303, "/wishlist"]);
    expect(await redirects("/login", `${cookies}; LoginRedirect=%2Flogin`)).toEqual([303, "/"]);
    expect(await redirects("/login", `${cookies}; LoginRedirect=j:{"a":1}`)).toEqual([303, "/"]);
  });

  it("removes the cookies of a revoked session", async () => {
    const cookies = await signIn(site);
    const alone = cookies.replace(/; login=[^;]+/, "");
    expect(cookiesOf(await get(site).set("Cookie", alone).expect(200))).toEqual([]);
    await deps.store.db.deleteFrom("session").execute();
    const removed = cookiesOf(await get(site).set("Cookie", cookies).expect(200));
    expect(removed.map(({ name, value, maxAge }) => [name, value, maxAge])).toEqual([
      ["LoginToken", "", 0],
      ["login", "", 0],
      ["LongtermToken", "", 0],
    ]);
  });

  it.each([
    ["the clock alone", (cookies: string) => cookies.replace(/; login=[^;]+/, "")],
    ["the credential alone", (cookies: string) => cookies.replace(/LoginToken=[^;]+; /, "")],
    ["a clock that has run down", (cookies: string) => cookies.replace(/LoginToken=[^;]+/, `LoginToken=${clock(-5)}`)],
    ["a clock that can't be read", (cookies: string) => cookies.replace(/LoginToken=[^;]+/, "LoginToken=a.b.c")],
    ["another credential", (cookies: string) => cookies.replace(/; login=[^;]+/, "; login=a.b.c")],
  ])("shows the form to a browser with %s", async (_name, change) => {
    await get(site)
      .set("Cookie", change(await signIn(site)))
      .expect(200);
  });

  it("says how long to wait after too many attempts", async () => {
    const tries = { email: "often@shop.example", password: "wrong" };
    for (let count = 0; count < 5; count += 1) await post(site, tries).expect(422);
    const response = await post(site, tries).expect(429);
    const seconds = Number(response.headers["retry-after"]);
    expect(seconds).toBeGreaterThan(0);
    const alert = load(response.text)("[role=alert]").text();
    expect(alert).toContain(text("error.throttled"));
    expect(alert).toContain(waitingTime(seconds, site.locale));
  });

  it("answers 503 with the page when the login service is unavailable", async () => {
    const broken = await createTestApp({ upstreams: { ...deps.upstreams, login: "http://127.0.0.1:9" } });
    const response = await request(broken.app)
      .post("/login")
      .set({ Host: site.localHost, Origin: `http://${site.localHost}` })
      .type("form")
      .send({ email, password })
      .expect(503);
    const $ = load(response.text);
    expect($("[role=alert]").text()).toContain(text("error.unavailable"));
    expect($("[name=email]").attr("value")).toBe(email);
    expect(JSON.stringify(broken.logs)).not.toMatch(new RegExp(`${password}|${email}`));
  });

  it.each([
    ["nothing", {}],
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
    ["another subdomain", { "Sec-Fetch-Site": "same-site" }],
    ["another origin", { Origin: "https://evil.example" }],
    ["no origin", { Origin: "null" }],
    ["another origin, to an older browser", { Referer: "https://evil.example/de.localhost" }],
  ])("refuses a form from %s", async (_name, headers) => {
    const { text: page } = await send(site, { email, password }, { ...headers, Accept: "text/html" }).expect(403);
    expect(load(page)("html").attr("lang")).toBe(site.locale);
    expect(load(page)("h1").text()).toBe(texts.translator(site.locale, "page", site.facts)("refused.heading"));
  });

  it.each([
    ["Sec-Fetch-Site", "same-origin"],
    ["Origin", `http://${site.localHost}`],
    ["Referer", `http://${site.localHost}/login?redirect=%2Fbag`],
  ])("accepts a same-origin form by %s", async (name, value) => {
    await send(site, { email, password }, { [name]: value }).expect(303);
  });

  it.each([
    ["more than 2 KB", { email, password: "x".repeat(2_100) }, 413],
    ["a field twice", { email: [email, email], password }, 400],
    ["a field nobody knows", { email, password, admin: "1" }, 400],
    ["an address that is too long", { email: `${"a".repeat(260)}@shop.example`, password }, 400],
  ])("refuses %s", async (_name, fields, status) => {
    const response = await post(site, fields).expect(status);
    expect(response.text).not.toContain(password);
  });

  it("takes the site from the form when the host belongs to none", async () => {
    const response = await request(app)
      .post("/login")
      .set({ Host: "localhost", Origin: "http://localhost" })
      .type("form")
      .send({ site: "HU" });
    expect([response.status, load(response.text)("html").attr("lang")]).toEqual([422, "hu-HU"]);
  });

  it("logs neither addresses nor passwords", async () => {
    await post(site, { email: "log@shop.example", password: "secret words" }).expect(422);
    expect(JSON.stringify(logs)).not.toMatch(/log@shop|secret words/);
  });
});

describe.each(home)("a redirect to another site", (site) => {
  it.each(["//evil.example", "https://evil.example/bag", "/\\evil.example", "javascript:alert(1)"])(
    "is neither stored nor followed: %j",
    async (target) => {
      expect(cookiesOf(await get(site, `/login?redirect=${encodeURIComponent(target)}`).expect(200))).toEqual([]);
      const stored = `${await signIn(site)}; LoginRedirect=${encodeURIComponent(target)}`;
      const { headers } = await get(site).set("Cookie", stored).expect(303);
      expect(headers.location).toBe("/");
    },
  );
});

/** A session's clock that ends so many seconds from now. */
function clock(seconds: number): string {
  const now = Math.floor(Date.now() / 1000);
  return `a.${Buffer.from(JSON.stringify({ exp: now + seconds, ren: now })).toString("base64url")}.c`;
}
