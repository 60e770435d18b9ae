import { decodeJwt } from "jose";
import { afterAll, describe, expect, it } from "vitest";
import { day, minute } from "../../../../../client/rules/time.ts";
import { deleteExpiredProviderSessions } from "../../../../../server/accounts/provider-sessions.ts";
import { eraseAddress } from "../../../../../server/features/newsletter/embedded/erase-address.ts";
import { startIdentityProvider } from "../../../../support/identity-provider.ts";
import { pass, restoreTime, stopTime } from "../../../../support/login-test.ts";
import { startMisbehavingProvider } from "../../../../support/misbehaving-provider.ts";
import {
  callbacks,
  client,
  createProviderApp,
  createShopVisitor,
  renewPath,
  type ShopVisitor,
} from "../../../../support/provider-login-test.ts";
import { createProviderVisitor } from "../../../../support/provider-visitor.ts";
import { json } from "../../../../support/start-stub.ts";
import { testKeys } from "../../../../support/test-store.ts";

const email = "ada@shop.example";
const people = [{ email, givenName: "Ada", familyName: "Beispiel" }];
const idp = await startIdentityProvider({ clients: [{ ...client, callbacks }], people });
afterAll(() => idp.stop());
const { app, deps } = await createProviderApp(idp.issuer);
const replica = await createProviderApp(idp.issuer);
const { db } = deps.store;
const customerData = "/service/newsletter/api/private/customers/base-data";
const knownEmail = "/service/customerfrontenddata/api/v1/psdata";

async function signIn(visitor: ShopVisitor, address = email): Promise<ShopVisitor> {
  const { headers } = await visitor.open("/login");
  const back = await createProviderVisitor().signIn(headers.location ?? "", address);
  expect((await visitor.open(back)).status).toBe(303);
  return visitor;
}

const tokenRequests = () => idp.requests.filter((request) => request === "POST /token").length;
const clockOf = ({ jar }: ShopVisitor) => decodeJwt<{ exp: number; ren: number; lid?: string }>(jar.LoginToken ?? "");
const now = () => Math.floor(Date.now() / 1000);

describe("a session at a provider", () => {
  it("tells scripts its times alone, and keeps tokens encrypted in the store", async () => {
    const visitor = await signIn(createShopVisitor(app));
    const { exp, ren, lid, ...others } = clockOf(visitor);
    expect(others).toEqual({});
    expect([Math.round((exp - now()) / 86_400), Math.round((ren - now()) / 60)]).toEqual([14, 10]);
    expect(lid).toEqual(expect.any(String));
    expect(Object.keys(visitor.jar).sort()).toEqual(["LoginToken", "LongtermToken", "login"]);
    const rows = JSON.stringify(await db.selectFrom("providerSession").selectAll().execute());
    expect(rows).not.toContain(lid);
    expect(rows).toMatch(/"tokens":"eyJ[\w-]+\.\.[\w.-]+"/);
  });

  it("is renewed by asking the provider, each time with the next refresh token", async () => {
    const visitor = await signIn(createShopVisitor(app));
    for (let i = 0; i < 3; i++) {
      const before = tokenRequests();
      const { status, body } = await visitor.call(renewPath);
      expect([status, body]).toEqual([201, { status: "RENEWED" }]);
      expect(tokenRequests()).toBe(before + 1);
      expect((await visitor.call("/service/login/api/v1/longtermtoken/renew")).status).toBe(204);
      expect(tokenRequests()).toBe(before + 1);
      expect((await visitor.open(customerData)).body).toMatchObject({ email, firstName: "Ada" });
    }
  });

  it("uses a refresh token once, however many tabs renew at two replicas at the same time", async () => {
    const visitor = await signIn(createShopVisitor(app));
    const tabs = Array.from({ length: 8 }, (_, i) => createShopVisitor(i % 2 ? replica.app : app));
    for (const tab of tabs) tab.jar = visitor.jar;
    const before = tokenRequests();
    const statuses = await Promise.all(tabs.map(async (tab) => (await tab.call(renewPath)).status));
    expect(statuses).toEqual(tabs.map(() => 201));
    expect(tokenRequests()).toBe(before + 1);
    // Each tab can go on with what it got, and the session stands.
    for (const tab of tabs) expect((await tab.open(customerData)).status).toBe(200);
    expect((await tabs.at(0)?.call(renewPath))?.status).toBe(201);
  });

  it("ends when the provider no longer knows it", async () => {
    const visitor = await signIn(createShopVisitor(app));
    idp.people.delete(email);
    const { status, body } = await visitor.call(renewPath);
    idp.people.set(email, { email, givenName: "Ada", familyName: "Beispiel" });
    expect([status, body.type]).toEqual([401, "UNAUTHORIZED"]);
    expect(visitor.jar).toEqual({});
  });

  it("stays as it is while the provider is down, and is renewed after that", async () => {
    const visitor = await signIn(createShopVisitor(app));
    await idp.stop();
    const { jar } = visitor;
    const tabs = [0, 1, 2].map(() => createShopVisitor(app));
    for (const tab of tabs) tab.jar = jar;
    const answers = await Promise.all(tabs.map((tab) => tab.call(renewPath)));
    expect(answers.map(({ status, body }) => [status, body.type])).toEqual(tabs.map(() => [500, "INTERNAL_ERROR"]));
    expect((await visitor.open(customerData)).status).toBe(200);
    expect(visitor.jar).toEqual(jar);
    await idp.start();
    expect((await visitor.call(renewPath)).status).toBe(201);
  });

  it("ends if used credentials come back after their successors were used", async () => {
    const visitor = await signIn(createShopVisitor(app));
    const thief = createShopVisitor(app);
    thief.jar = visitor.jar;
    await visitor.call(renewPath);
    await visitor.call(renewPath);
    expect((await thief.call(renewPath)).status).toBe(401);
    expect((await visitor.call(renewPath)).status).toBe(401);
  });

  it("isn't renewed beyond its absolute end", async () => {
    stopTime();
    const idle = await startMisbehavingProvider(client);
    const { app } = await createProviderApp(idle.issuer);
    const visitor = createShopVisitor(app);
    await signInAt(idle.issuer, visitor);
    for (const status of [201, 201, 201, 201, 201, 200, 401]) {
      pass(13 * day);
      expect((await visitor.call(renewPath)).status).toBe(status);
      if (status === 200) expect(clockOf(visitor).ren).toBe(clockOf(visitor).exp);
    }
    restoreTime();
  });

  it("without a refresh token lasts for 30 minutes, and is never renewed", async () => {
    stopTime();
    const poor = await startMisbehavingProvider(client);
    const { app } = await createProviderApp(poor.issuer);
    const visitor = createShopVisitor(app);
    poor.hasRefreshTokens = false;
    await signInAt(poor.issuer, visitor);
    const { exp, ren, lid } = clockOf(visitor);
    expect([exp - now(), ren, lid]).toEqual([1800, exp, undefined]);
    expect(visitor.jar).not.toHaveProperty("LongtermToken");
    const asked = poor.requests.length;
    expect((await visitor.call(renewPath)).status).toBe(200);
    expect(clockOf(visitor).exp).toBe(exp);
    expect(poor.requests.length).toBe(asked);
    pass(30 * minute);
    expect((await visitor.call(renewPath)).status).toBe(401);
    restoreTime();
  });

  it.each([
    ["another error", json('{"error":"invalid_client"}', 401)],
    ["a failure", json("{}", 503)],
    ["nonsense", json("[]", 200)],
  ])("says 500 if the provider answers a renewal with %s", async (_name, answer) => {
    const odd = await startMisbehavingProvider(client);
    const visitor = createShopVisitor((await createProviderApp(odd.issuer)).app);
    await signInAt(odd.issuer, visitor);
    odd.answers.set("/token", answer);
    expect((await visitor.call(renewPath)).status).toBe(500);
    odd.answers.clear();
    expect((await visitor.call(renewPath)).status).toBe(201);
  });
});

describe("a session that ended without its browser", () => {
  const end = () => db.deleteFrom("providerSession").execute();

  it.each([
    ["a renewal", (visitor: ShopVisitor) => visitor.call(renewPath), 401],
    ["psdata", (visitor: ShopVisitor) => visitor.open(knownEmail), 200],
    ["base-data", (visitor: ShopVisitor) => visitor.open(customerData), 401],
  ])("loses its clock at the next call: %s", async (_name, call, status) => {
    const visitor = await signIn(createShopVisitor(app));
    await end();
    expect((await call(visitor)).status).toBe(status);
    expect(visitor.jar).not.toHaveProperty("LoginToken");
  });

  it("is named to the provider by its address, as long as cookies tell it", async () => {
    const visitor = await signIn(createShopVisitor(app));
    await end();
    const { headers } = await visitor.open("/login");
    expect(new URL(headers.location ?? "").searchParams.get("login_hint")).toBe(email);
    expect((await createShopVisitor(app).open("/login")).headers.location).not.toContain("login_hint");
  });
});

describe("stored sessions", () => {
  it("end with the customer's request to erase an address, in any capitalization", async () => {
    const visitor = await signIn(createShopVisitor(app));
    expect(await eraseAddress(db, testKeys, "ADA@Shop.example", deps.dataDir, Date.now())).toMatchObject({
      providerSessions: expect.any(Number),
    });
    expect((await visitor.open(customerData)).status).toBe(401);
  });

  it("are deleted when they have expired", async () => {
    await signIn(createShopVisitor(app));
    const count = async () => (await db.selectFrom("providerSession").select("id").execute()).length;
    await deleteExpiredProviderSessions(db, Date.now());
    expect(await count()).toBeGreaterThan(0);
    await deleteExpiredProviderSessions(db, Date.now() + 91 * day);
    expect(await count()).toBe(0);
  });
});

/** Signs in at a provider that asks nobody. */
async function signInAt(issuer: string, visitor: ShopVisitor): Promise<void> {
  const { headers } = await visitor.open("/login");
  expect(headers.location).toMatch(new RegExp(`^${issuer}/`));
  const { headers: answer } = await fetch(headers.location ?? "", { redirect: "manual" });
  expect((await visitor.open(answer.get("location") ?? "")).status).toBe(303);
}
