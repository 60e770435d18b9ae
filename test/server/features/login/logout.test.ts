import { load } from "cheerio";
import { parseSetCookie } from "cookie";
import request from "supertest";
import { beforeAll, describe, expect, it } from "vitest";
import { addAccount } from "../../../../server/accounts/accounts.ts";
import type { Site } from "../../../../server/sites/countries.ts";
import { openStore } from "../../../../server/store/open-store.ts";
import { markupFaults } from "../../../support/markup-faults.ts";
import { startStub } from "../../../support/start-stub.ts";
import { createTestApp, sites, testLogger, texts } from "../../../support/test-app.ts";
import { createStorePlace } from "../../../support/test-store.ts";

const { app, deps } = await createTestApp();
const password = "correct horse battery staple";
const ada = { email: "ada@shop.example", firstName: "Ada", lastName: "Beispiel" };
const nameless = { email: "nameless@shop.example" };
const home = sites.filter(({ site }) => site === "DE");

/** What the browser sends in which Ada is signed in. */
let session = "";

beforeAll(async () => {
  for (const customer of [ada, nameless]) await addAccount(deps.store.db, "customer", { ...customer, password });
  for (const site of home) session = await signIn(site, ada);
});

const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers["set-cookie"] ?? []].flat().map((text) => parseSetCookie(String(text)));

/** What a browser sends after a login. */
async function signIn({ localHost }: Site, { email }: { email: string }): Promise<string> {
  const sent = request(app)
    .post("/login")
    .set({ Host: localHost, Origin: `http://${localHost}` });
  const cookies = cookiesOf(await sent.type("form").send({ email, password }).expect(303));
  return cookies.flatMap(({ name, value }) => (value ? `${name}=${value}` : [])).join("; ");
}

const signOut = ({ localHost }: Site, cookie: string, headers: Record<string, string>, from = app) =>
  request(from)
    .post("/logout")
    .set({ Host: localHost, Cookie: cookie, Accept: "text/html", ...headers })
    .redirects(0);

/** What the header of a page says of its visitor: the link to log in or to the account, and the button to sign out. */
async function headerOf({ localHost }: Site, cookie: string, from = app) {
  const { text } = await request(from).get("/").set({ Host: localHost, Cookie: cookie }).expect(200);
  expect(markupFaults(text)).toEqual([]);
  const header = load(text)("body > header");
  const link = header.find('a[href="/login"], a[href="/account"]');
  const button = header.find("form[method=post][action='/logout'] button[type=submit]");
  return [link.attr("href"), link.text(), button.text()];
}

describe.each(sites)("the header on $site", (site) => {
  const text = (name?: string) => texts.translator(site.locale, "page", { name });

  it("greets signed-in customers", async () => {
    expect(await headerOf(site, "")).toEqual(["/login", text()("account.login"), ""]);
    const named = text("Ada")("account.signedIn");
    expect(await headerOf(site, session)).toEqual(["/account", named, text()("account.logout")]);
  });
});

describe.each(home)("the header", (site) => {
  const text = texts.translator(site.locale, "page", { name: nameless.email });
  const origin = { Origin: `http://${site.localHost}` };
  const own = ["/account", text("account.own"), text("account.logout")];

  it("signs out without script, for all copies of the cookies", async () => {
    const cookie = await signIn(site, ada);
    const response = await signOut(site, cookie, origin).expect(303);
    expect(response.headers).toMatchObject({
      location: "/",
      "clear-site-data": '"cache"',
      "cache-control": "no-store",
    });
    const removed = cookiesOf(response).map(({ name, value, maxAge }) => [name, value, maxAge]);
    expect(removed).toEqual(["LoginToken", "login", "LongtermToken"].map((name) => [name, "", 0]));
    expect((await headerOf(site, cookie))[0]).toBe("/login");
  });

  it("shows the address of a customer without a name", async () => {
    expect((await headerOf(site, await signIn(site, nameless)))[1]).toBe(text("account.signedIn"));
  });

  it("ignores a form of another site, or without an origin", async () => {
    for (const headers of [{}, { Origin: "http://evil.example" }, { "Sec-Fetch-Site": "same-site" }]) {
      const response = await signOut(site, session, headers).expect(403);
      expect(cookiesOf(response)).toEqual([]);
    }
    expect((await headerOf(site, session))[0]).toBe("/account");
  });

  it("greets nobody while the store is unavailable, with one log line", async () => {
    const store = await openStore({ ...(await createStorePlace()), logger: testLogger });
    const broken = await createTestApp({ store });
    await store.close();
    expect((await headerOf(site, session, broken.app))[0]).toBe("/login");
    expect(broken.logs.filter(({ level }) => level !== 30)).toEqual([
      expect.objectContaining({ level: 40, msg: "session lookup failed" }),
    ]);
  });

  it("knows no name with a real login service, which ends the session", async () => {
    const removal = "login=; Max-Age=0; Path=/";
    const stub = await startStub((_request, response) => response.writeHead(204, { "Set-Cookie": removal }).end());
    const real = await createTestApp({ upstreams: { ...deps.upstreams, login: stub.origin } });
    expect(await headerOf(site, session, real.app)).toEqual(own);

    const response = await signOut(site, session, origin, real.app).expect(303);
    expect(response.headers["set-cookie"]).toEqual([removal]);
    expect(stub.requests.map(({ method, url }) => [method, url])).toEqual([["POST", "/service/login/api/v1/logout"]]);
    expect(stub.requests[0]?.headers).toMatchObject({ "x-hunter-csrf": "1", "sec-fetch-site": "same-origin" });
    expect(stub.requests[0]?.headers.cookie).toMatch(/^login=[^;]+$/);
  });

  it("removes the cookies of a session that the real login service has ended", async () => {
    const stub = await startStub((_request, response) => response.writeHead(401).end());
    const real = await createTestApp({ upstreams: { ...deps.upstreams, login: stub.origin } });
    const response = await signOut(site, session, origin, real.app).expect(303);
    expect(cookiesOf(response).map(({ name, maxAge }) => [name, maxAge])).toEqual(
      ["LoginToken", "login", "LongtermToken"].map((name) => [name, 0]),
    );
  });

  it.each([302, 500])("answers 503 when the real login service answers %d", async (status) => {
    const stub = await startStub((_request, response) => response.writeHead(status).end());
    const real = await createTestApp({ upstreams: { ...deps.upstreams, login: stub.origin } });
    const response = await signOut(site, session, origin, real.app).expect(503);
    expect(cookiesOf(response)).toEqual([]);
    expect(load(response.text)("main h1").text()).toBe(text("error.heading"));
  });
});
