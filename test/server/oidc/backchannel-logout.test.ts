import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import request from "supertest";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startIdentityProvider } from "../../support/identity-provider.ts";
import { startMisbehavingProvider, type TokenChanges, wrongIdTokens } from "../../support/misbehaving-provider.ts";
import { newAddress } from "../../support/new-address.ts";
import {
  callbacks,
  client,
  createProviderApp,
  createShopVisitor,
  renewPath,
  type ShopVisitor,
} from "../../support/provider-login-test.ts";
import { createProviderVisitor } from "../../support/provider-visitor.ts";
import { json } from "../../support/start-stub.ts";
import { createTestApp, siteOf, type TestApp } from "../../support/test-app.ts";

const path = "/login/backchannel-logout";
const customerData = "/service/newsletter/api/private/customers/base-data";
const now = () => Math.floor(Date.now() / 1000);

type Shop = Pick<TestApp, "app" | "deps" | "logs">;
type Claims = NonNullable<TokenChanges["claims"]>;

/** Makes the call of a provider, which has an address of its own. */
function call({ app }: Pick<Shop, "app">, token: string | undefined, address = newAddress()) {
  const post = request(app).post(path).type("form").set("X-Forwarded-For", address);
  return post.send(token === undefined ? "" : new URLSearchParams({ logout_token: token }).toString());
}

/** Signs somebody in at a provider that asks nobody. */
async function signIn(shop: Shop, code = "DE"): Promise<ShopVisitor> {
  const visitor = createShopVisitor(shop.app, siteOf(code));
  const { headers } = await visitor.open("/login");
  const answer = await fetch(headers.location ?? "", { redirect: "manual" });
  expect((await visitor.open(answer.headers.get("location") ?? "")).status).toBe(303);
  return visitor;
}

async function isSignedIn(visitor: ShopVisitor): Promise<boolean> {
  return (await visitor.open(customerData)).status === 200;
}

async function countOf({ deps }: Shop, outcome: string): Promise<number> {
  const { values } = await deps.metrics.backchannelLogouts.get();
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
}

describe("a logout at a certified provider", () => {
  const email = "ada@shop.example";

  it("ends its session on all sites and replicas, and no other", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const backchannelLogout = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const idp = await startIdentityProvider({
      clients: [{ ...client, callbacks, backchannelLogout }],
      people: [{ email }],
    });
    onTestFinished(() => idp.stop());
    const [first, second] = [await createProviderApp(idp.issuer), await createProviderApp(idp.issuer)];
    server.on("request", first.app);

    const [browser, another] = [createProviderVisitor(), createProviderVisitor()];
    const enter = async (shop: Shop, code: string, provider: typeof browser) => {
      const visitor = createShopVisitor(shop.app, siteOf(code));
      const { headers } = await visitor.open("/login");
      await visitor.open(await provider.signIn(headers.location ?? "", email));
      expect(await isSignedIn(visitor)).toBe(true);
      return visitor;
    };
    const ended = [await enter(first, "DE", browser), await enter(second, "PL", browser)];
    const kept = await enter(second, "DE", another);
    const { db } = first.deps.store;
    const rows = db.selectFrom("providerSession").select("sid").where("issuer", "=", idp.issuer).orderBy("endsAt");
    const sid = (await rows.executeTakeFirst())?.sid;
    await idp.endByBackchannel(client.id, email, String(sid));
    for (const visitor of ended) {
      expect((await visitor.call(renewPath)).status).toBe(401);
      expect(visitor.jar).toEqual({});
    }
    expect(await isSignedIn(kept)).toBe(true);
    expect(await countOf(first, "ended")).toBe(1);
  });
});

/** A provider that does as it is told, and a shop whose customers sign in there. */
async function open() {
  const provider = await startMisbehavingProvider(client);
  return { provider, shop: await createProviderApp(provider.issuer) };
}

describe("the call by which a provider ends sessions", () => {
  it.each<[string, Claims, Claims]>([
    ["one of its own", { sid: "one", sub: undefined }, { sid: "one" }],
    ["one of its own, and names the person", { sid: "one" }, { sid: "one" }],
    ["all of a person", {}, { sid: "one" }],
    ["one that began without its id", { sid: "one" }, {}],
  ])("ends %s, on all sites", async (_name, claims, session) => {
    const { provider, shop } = await open();
    provider.idToken = { claims: session };
    const visitors = [await signIn(shop, "DE"), await signIn(shop, "HU")];
    const { status, headers, text } = await call(shop, await provider.signLogoutToken({ claims }));
    expect([status, headers["cache-control"], text]).toEqual([200, "no-store", ""]);
    for (const visitor of visitors) expect(await isSignedIn(visitor)).toBe(false);
    expect(await countOf(shop, "ended")).toBe(1);
  });

  it("leaves other sessions, other people and other clients alone", async () => {
    const { provider, shop } = await open();
    provider.idToken = { claims: { sid: "mine" } };
    const visitor = await signIn(shop);
    for (const claims of [{ sid: "another" }, { sub: "eve" }, { sid: "another", sub: undefined }])
      expect((await call(shop, await provider.signLogoutToken({ claims }))).status).toBe(200);
    expect(await isSignedIn(visitor)).toBe(true);
    expect([await countOf(shop, "unknown"), await countOf(shop, "ended")]).toEqual([3, 0]);
  });

  it.each<[string, () => TokenChanges]>([
    ...Object.entries(wrongIdTokens).filter(([name]) => !/nonce|party|subject/.test(name)),
    ["a nonce", () => ({ claims: { nonce: "n" } })],
    ["no event", () => ({ claims: { events: undefined } })],
    ["another event", () => ({ claims: { events: { "https://other.example/event": {} } } })],
    ["an event that is none", () => ({ claims: { events: ["http://schemas.openid.net/event/backchannel-logout"] } })],
    ["neither session nor person", () => ({ claims: { sub: undefined } })],
    ["a session that is no text", () => ({ claims: { sid: {} } })],
    ["no id of its own", () => ({ claims: { jti: undefined } })],
    ["no end", () => ({ claims: { exp: undefined } })],
    ["no time of issue", () => ({ claims: { iat: undefined } })],
    ["a time of issue long ago", () => ({ claims: { iat: now() - 7200, exp: now() + 60 } })],
    ["the kind of another token", () => ({ header: { typ: "at+jwt" } })],
  ])("is refused, and ends nothing: %s", async (_name, changes) => {
    const { provider, shop } = await open();
    const visitor = await signIn(shop);
    const { status, body, headers } = await call(shop, await provider.signLogoutToken(changes()));
    expect([status, body.error, headers["cache-control"]]).toEqual([400, "invalid_request", "no-store"]);
    expect(await isSignedIn(visitor)).toBe(true);
    expect(await countOf(shop, "refused")).toBe(1);
    const line = shop.logs.find(({ event }) => event === "authn_logout_fail");
    expect(line).toEqual({ ...line, reason: expect.any(String), network: expect.stringMatching(/^[\w-]{16}$/) });
  });

  it.each<[string, (token: string) => [type: string, body: string]]>([
    ["no body", () => ["application/x-www-form-urlencoded", ""]],
    ["no token", () => ["application/x-www-form-urlencoded", "logout_token=canary"]],
    ["two tokens", (token) => ["application/x-www-form-urlencoded", `logout_token=${token}&logout_token=${token}`]],
    ["JSON", (token) => ["application/json", JSON.stringify({ logout_token: token })]],
    ["1 MB", (token) => ["application/x-www-form-urlencoded", `logout_token=${token}&x=${"x".repeat(1_000_000)}`]],
  ])("is refused with a body that has %s", async (_name, bodyOf) => {
    const { provider, shop } = await open();
    const visitor = await signIn(shop);
    const [type, content] = bodyOf(await provider.signLogoutToken());
    const { status, body, text } = await request(shop.app).post(path).type(type).send(content);
    expect([status, body.error]).toEqual([400, "invalid_request"]);
    expect(text).not.toContain("canary");
    expect(await isSignedIn(visitor)).toBe(true);
  });

  it("can only be a POST", async () => {
    const { provider, shop } = await open();
    const { status, headers } = await request(shop.app).get(`${path}?logout_token=${await provider.signLogoutToken()}`);
    expect([status, headers.allow]).toEqual([405, "POST, OPTIONS"]);
  });

  it("doesn't exist without a provider", async () => {
    expect((await call(await createTestApp(), "canary")).status).toBe(404);
  });

  it("counts once, on all replicas, but again after a failure", async () => {
    const { provider, shop } = await open();
    const replica = await createProviderApp(provider.issuer);
    const token = await provider.signLogoutToken();
    provider.answers.set("/jwks", json("{}", 500));
    const failed = await call(shop, token);
    expect([failed.status, failed.body.error]).toEqual([503, "temporarily_unavailable"]);
    provider.answers.clear();
    const before = await signIn(shop);
    const statuses = (await Promise.all([shop, replica, shop, replica].map((one) => call(one, token)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 400, 400, 400]);
    expect(await isSignedIn(before)).toBe(false);
    const after = await signIn(replica);
    expect((await call(replica, token)).status).toBe(400);
    expect(await isSignedIn(after)).toBe(true);
  });

  it("is accepted on the host of any site, without evidence of a page", async () => {
    const { provider, shop } = await open();
    const post = request(shop.app)
      .post(path)
      .type("form")
      .set({ Host: siteOf("TR").localHost, Origin: "null", "Sec-Fetch-Site": "cross-site" });
    expect((await post.send(`logout_token=${await provider.signLogoutToken()}`)).status).toBe(200);
  });

  it("is limited by the network whose calls were refused, which doesn't ask the provider", async () => {
    const { provider, shop } = await open();
    const address = newAddress();
    const visitor = await signIn(shop);
    const forged = await provider.signLogoutToken({ claims: { iss: "https://other.example" } });
    const asked = provider.requests.length;
    const counts: Record<number, number> = {};
    for (let i = 0; i < 100; i++) {
      const { status } = await call(shop, forged, address);
      counts[status] = (counts[status] ?? 0) + 1;
    }
    expect(counts).toEqual({ 400: 30, 429: 70 });
    expect(provider.requests.length).toBe(asked);
    const blocked = await call(shop, await provider.signLogoutToken(), address);
    expect([blocked.status, Number(blocked.headers["retry-after"]) > 0]).toEqual([429, true]);
    expect(await isSignedIn(visitor)).toBe(true);
    expect((await call(shop, await provider.signLogoutToken())).status).toBe(200);
  });

  it("asks for unknown keys once, and takes a new one", async () => {
    const { provider, shop } = await open();
    await call(shop, await provider.signLogoutToken());
    const asked = provider.requests.filter((one) => one === "GET /jwks").length;
    for (let i = 0; i < 10; i++)
      await call(shop, await provider.signLogoutToken({ header: { kid: `unknown-${i}` }, key: "unknown" }));
    expect(provider.requests.filter((one) => one === "GET /jwks").length).toBe(asked);
    await provider.rotateKey();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    onTestFinished(() => void vi.useRealTimers());
    const token = await provider.signLogoutToken();
    expect((await call(shop, token)).status).toBe(200);
  });
});
