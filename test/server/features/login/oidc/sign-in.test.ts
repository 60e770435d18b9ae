import { load } from "cheerio";
import { afterAll, describe, expect, it } from "vitest";
import { startIdentityProvider } from "../../../../support/identity-provider.ts";
import { markupFaults } from "../../../../support/markup-faults.ts";
import { startMisbehavingProvider, wrongIdTokens } from "../../../../support/misbehaving-provider.ts";
import {
  callbacks,
  client,
  createProviderApp,
  createShopVisitor,
  type ShopVisitor,
} from "../../../../support/provider-login-test.ts";
import { createProviderVisitor } from "../../../../support/provider-visitor.ts";
import { json } from "../../../../support/start-stub.ts";
import { siteOf, texts } from "../../../../support/test-app.ts";

const email = "ada@shop.example";
const unverified = "eve@shop.example";
const people = [
  { email, givenName: "Ada", familyName: "Beispiel" },
  { email: unverified, emailVerified: false },
];
const idp = await startIdentityProvider({ clients: [{ ...client, callbacks }], people });
afterAll(() => idp.stop());
const { app, deps, logs } = await createProviderApp(idp.issuer);
const customerData = "/service/newsletter/api/private/customers/base-data";
const knownEmail = "/service/customerfrontenddata/api/v1/psdata";
const sessionCookies = ["LoginToken", "LongtermToken", "login"];

/** Signs in, and returns the shop's last answer. */
async function signIn(visitor: ShopVisitor, address = email, path = "/login") {
  const { headers } = await visitor.open(path);
  return visitor.open(await createProviderVisitor().signIn(headers.location ?? "", address));
}

/** How often a sign-in has had an outcome. */
async function countOf(outcome: string, metrics = deps.metrics): Promise<number> {
  const { values } = await metrics.signIns.get();
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
}

/** The page of a failure: its heading, and where it leads. */
function messageOf(html: string) {
  expect(markupFaults(html)).toEqual([]);
  const page = load(html);
  expect([page("body > header").length, page("footer[data-fragment=footer]").length]).toEqual([1, 1]);
  const links = page("main a").toArray();
  return { heading: page("h1").text(), leadsTo: links.map(({ attribs }) => attribs.href) };
}

describe("the login page of a site with an identity provider", () => {
  it.each(["/login", "/m/login"])("leads there in the site's language, and back: %s", async (path) => {
    for (const site of [siteOf("DE"), siteOf("CH_FR")]) {
      const visitor = createShopVisitor(app, site);
      const { status, headers } = await visitor.open(path);
      const { origin, searchParams } = new URL(headers.location ?? "");
      expect([status, origin, headers["cache-control"]]).toEqual([303, idp.issuer, "private, no-store"]);
      expect(Object.fromEntries(searchParams)).toMatchObject({
        redirect_uri: `${site.origin}/login/callback`,
        ui_locales: site.locale,
        code_challenge_method: "S256",
      });
      const back = await visitor.open(await createProviderVisitor().signIn(headers.location ?? "", email));
      expect([back.status, back.headers.location]).toEqual([303, "/"]);
      expect(Object.keys(visitor.jar).sort()).toEqual(sessionCookies);
      const [clock, ...credentials] = [back.headers["set-cookie"]]
        .flat()
        .filter((text) => /^(Log|log|Lon)/.test(text ?? ""));
      expect(clock).toMatch(/^LoginToken=.*SameSite=Lax/);
      for (const credential of credentials.filter((text) => !text?.startsWith("LoginRedirect")))
        expect(credential).toMatch(/HttpOnly/);
    }
  });

  it("leads a customer with a session to the shop", async () => {
    const visitor = createShopVisitor(app);
    await signIn(visitor);
    const { status, headers } = await visitor.open("/login?redirect=/account");
    expect([status, headers.location]).toEqual([303, "/account"]);
  });

  it.each([
    ["/account?tab=orders", "/account?tab=orders"],
    ["https://other.example/", "/"],
    ["//other.example", "/"],
    ["/\\other.example", "/"],
  ])("remembers where to lead on, on the same site: %s", async (redirect, target) => {
    const answer = await signIn(createShopVisitor(app), email, `/login?redirect=${encodeURIComponent(redirect)}`);
    expect(answer.headers.location).toBe(target);
  });

  it("has no form that could be posted, nor the call that takes passwords", async () => {
    const visitor = createShopVisitor(app);
    for (const path of ["/login", "/m/login"]) {
      const { status, headers } = await visitor.post(path);
      expect([status, headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
    expect((await visitor.call("/service/login/api/v1/login")).status).toBe(404);
  });

  it("begins nothing for a browser that only prefetches it", async () => {
    const { status, headers } = await createShopVisitor(app).open("/login", { "Sec-Purpose": "prefetch" });
    expect([status, headers.location, headers["set-cookie"]]).toEqual([403, undefined, undefined]);
  });

  it("stands beside the embedded login of other sites, and ends sessions of neither", async () => {
    const { app } = await createProviderApp(idp.issuer, {}, ["AT"]);
    expect((await createShopVisitor(app, siteOf("AT")).open("/login")).status).toBe(303);
    expect((await createShopVisitor(app, siteOf("DE")).open("/login")).text).toContain('name="password"');
    expect((await createShopVisitor(app, siteOf("DE")).open("/login/callback?state=a&code=b")).status).toBe(404);
    const visitor = createShopVisitor(app, siteOf("AT"));
    await signIn(visitor);
    expect((await visitor.open(customerData)).body.email).toBe(email);
  });
});

describe("a customer who has signed in at an identity provider", () => {
  it("is known by the verified address and the names", async () => {
    const visitor = createShopVisitor(app);
    await signIn(visitor);
    expect((await visitor.open(customerData)).body).toEqual({
      email,
      firstName: "Ada",
      lastName: "Beispiel",
      consents: [],
    });
    expect((await visitor.open(knownEmail)).body).toEqual({ email });
    expect((await visitor.open("/unknown")).text).toContain("Angemeldet als Ada");
  });

  it("isn't known by an address that the provider hasn't verified", async () => {
    const visitor = createShopVisitor(app);
    await signIn(visitor, unverified);
    expect((await visitor.open(customerData)).body).toEqual({ email: "", consents: [] });
    expect((await visitor.open(knownEmail)).body).toEqual({});
    const { text } = await visitor.open("/unknown");
    expect(text).toContain("Mein Konto");
    expect(text).not.toContain(unverified);
  });

  it("gets a new session at each sign-in, and loses it by the logout", async () => {
    const visitor = createShopVisitor(app);
    await signIn(visitor);
    const first = createShopVisitor(app);
    first.jar = visitor.jar;
    visitor.jar = { login: first.jar.login ?? "" };
    await signIn(visitor);
    expect((await first.open(customerData)).status).toBe(401);
    const before = createShopVisitor(app);
    before.jar = visitor.jar;
    expect((await visitor.call("/service/login/api/v1/logout")).status).toBe(204);
    expect(visitor.jar).toEqual({});
    expect((await before.open(customerData)).status).toBe(401);
  });

  it("has pages whose policy lets a form lead to the provider, which other sites' pages don't", async () => {
    const { app } = await createProviderApp(idp.issuer, {}, ["AT"]);
    const policyOf = async (code: string) =>
      (await createShopVisitor(app, siteOf(code)).open("/unknown")).headers["content-security-policy"];
    expect(await policyOf("AT")).toContain(`form-action 'self' ${idp.issuer};`);
    expect(await policyOf("DE")).toContain("form-action 'self';");
  });
});

describe("a sign-in that fails", () => {
  const title = (key: "lost.heading" | "refused.heading", locale = "de-DE") => texts.translator(locale, "sign-in")(key);

  it("shows a page that leads to a new one, in the site's language", async () => {
    const visitor = createShopVisitor(app, siteOf("PL"));
    const { status, text } = await visitor.open("/login/callback?code=canary&state=canary");
    expect([status, messageOf(text)]).toEqual([400, { heading: title("lost.heading", "pl-PL"), leadsTo: ["/login"] }]);
    expect(text).not.toContain("canary");
  });

  it("because it was begun in another browser, without a session there", async () => {
    const victim = createShopVisitor(app);
    const { headers } = await createShopVisitor(app).open("/login");
    const answer = await createProviderVisitor().signIn(headers.location ?? "", email);
    expect((await victim.open(answer)).status).toBe(400);
    await victim.open("/login");
    expect((await victim.open(answer)).status).toBe(400);
    expect(Object.keys(victim.jar).filter((name) => sessionCookies.includes(name))).toEqual([]);
  });

  it("because it has ended before, goes on to the shop for those whom it has signed in", async () => {
    const visitor = createShopVisitor(app);
    const { headers } = await visitor.open("/login");
    const pending = visitor.jar;
    const answer = await createProviderVisitor().signIn(headers.location ?? "", email);
    expect((await visitor.open(answer)).status).toBe(303);
    expect((await visitor.open(answer)).headers.location).toBe("/");
    const { jar } = visitor;
    visitor.jar = pending;
    expect((await visitor.open(answer)).status).toBe(400);
    visitor.jar = jar;
    expect((await visitor.open(customerData)).status).toBe(200);
  });

  it("because the person cancels it", async () => {
    const visitor = createShopVisitor(app);
    const { headers } = await visitor.open("/login");
    const { status, text } = await visitor.open(await createProviderVisitor().cancel(headers.location ?? ""));
    expect([status, messageOf(text)]).toEqual([403, { heading: title("refused.heading"), leadsTo: ["/login"] }]);
  });

  it("because the provider is down, and works when it is back", async () => {
    const { app, logs } = await createProviderApp(idp.issuer);
    const visitor = createShopVisitor(app);
    await idp.stop();
    const { status, text } = await visitor.open("/login");
    expect([status, messageOf(text).leadsTo]).toEqual([503, ["/"]]);
    expect(text).toContain(texts.translator("de-DE", "login")("error.unavailable"));
    expect((await visitor.open("/fragments/footer/DE")).status).toBe(200);
    await idp.start();
    const { headers } = await visitor.open("/login");
    const answer = await createProviderVisitor().signIn(headers.location ?? "", email);
    await idp.stop();
    expect((await visitor.open(answer)).status).toBe(503);
    expect(logs.filter(({ msg }) => msg === "upstream failed")).toHaveLength(1);
    await idp.start();
    expect((await signIn(visitor)).status).toBe(303);
  });

  it("is refused by HEAD, which uses nothing up", async () => {
    const visitor = createShopVisitor(app);
    const { headers } = await visitor.open("/login");
    const answer = await createProviderVisitor().signIn(headers.location ?? "", email);
    const { default: request } = await import("supertest");
    const head = await request(app)
      .head(answer.slice(siteOf("DE").origin.length))
      .set("Host", siteOf("DE").localHost);
    expect(head.status).toBe(405);
    expect((await visitor.open(answer)).status).toBe(303);
  });
});

describe("an answer that may be forged", () => {
  it.each(Object.keys(wrongIdTokens))("is refused, counted and reported, and starts no session: %s", async (name) => {
    const odd = await startMisbehavingProvider(client);
    odd.idToken = wrongIdTokens[name]?.() ?? {};
    odd.person = { ...odd.person, given_name: "canary" };
    const { app, deps, logs } = await createProviderApp(odd.issuer);
    const visitor = createShopVisitor(app);
    const sessions = async () => (await deps.store.db.selectFrom("providerSession").select("id").execute()).length;
    const before = await sessions();
    const { headers } = await visitor.open("/login");
    const { headers: back } = await fetch(headers.location ?? "", { redirect: "manual" });
    const { status, text } = await visitor.open(back.get("location") ?? "");
    expect([status, messageOf(text).leadsTo]).toEqual([400, ["/login"]]);
    expect(text).not.toMatch(/canary|code-/);
    expect(visitor.jar).toEqual({});
    expect(await sessions()).toBe(before);
    expect(await countOf("unauthorized", deps.metrics)).toBe(1);
    const reported = logs.filter(({ event }) => event === "authn_login_fail");
    expect(reported).toEqual([expect.objectContaining({ kind: "customer", reason: expect.any(String) })]);
    expect(JSON.stringify(logs)).not.toMatch(/canary|ada@/);
  });

  it("is no answer if parameters are doubled, or name another issuer", async () => {
    const odd = await startMisbehavingProvider(client);
    const { app } = await createProviderApp(odd.issuer);
    for (const change of ["&code=other", "&iss=https://other.example", "&response=jwt"]) {
      const visitor = createShopVisitor(app);
      const { headers } = await visitor.open("/login");
      const { headers: back } = await fetch(headers.location ?? "", { redirect: "manual" });
      expect((await visitor.open(`${back.get("location")}${change}`)).status).toBe(400);
    }
  });
});

describe("many callbacks from one network", () => {
  it("are limited, counted and cheap, and hold up nobody else", async () => {
    const { app, deps, logs } = await createProviderApp(idp.issuer);
    const flooding = createShopVisitor(app, siteOf("DE"), "192.0.2.9");
    const statuses: number[] = [];
    for (let i = 0; i < 60; i++) statuses.push((await flooding.open(`/login/callback?code=${i}&state=${i}`)).status);
    expect([...new Set(statuses)]).toEqual([400, 429]);
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(30);
    const { headers, text } = await flooding.open("/login/callback?code=a&state=b");
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect(messageOf(text).leadsTo).toEqual(["/"]);
    expect(await countOf("rateLimited", deps.metrics)).toBeGreaterThanOrEqual(31);
    expect(logs.filter(({ event }) => event === "excess_rate_limit_exceeded")).toHaveLength(1);
    expect((await signIn(createShopVisitor(app))).status).toBe(303);
  });

  it("aren't made by a provider that is down, nor by people who cancel", async () => {
    const odd = await startMisbehavingProvider(client);
    const { app } = await createProviderApp(odd.issuer);
    const visitor = createShopVisitor(app);
    odd.answers.set("/token", json("{}", 500));
    for (let i = 0; i < 40; i++) {
      const { headers } = await visitor.open("/login");
      const { headers: back } = await fetch(headers.location ?? "", { redirect: "manual" });
      const { status } = await visitor.open(back.get("location") ?? "");
      expect(status).toBe(503);
    }
  });
});

it("no log line has a token, an address or a code", () => {
  expect(JSON.stringify(logs)).not.toMatch(/ada@|eyJ|code=|state=/);
});
