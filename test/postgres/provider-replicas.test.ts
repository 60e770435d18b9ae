import { afterAll, expect, it, onTestFinished } from "vitest";
import { findFreePort } from "../support/find-free-port.ts";
import { startIdentityProvider } from "../support/identity-provider.ts";
import { callbacks, client, createShopVisitor, renewPath } from "../support/provider-login-test.ts";
import { createProviderVisitor } from "../support/provider-visitor.ts";
import { onStore, type Replica, startReplica, stopProcesses } from "../support/start-process.ts";
import { siteOf } from "../support/test-app.ts";
import { createStorePlace } from "../support/test-store.ts";

afterAll(stopProcesses);

const site = siteOf("DE");
const email = "ada@shop.example";
const customerData = "/service/newsletter/api/private/customers/base-data";
const footer = `/fragments/footer/${site.site}`;

/** Starts two services on one database, and the provider that calls the first one back. */
async function start() {
  const port = await findFreePort();
  const backchannelLogout = `http://127.0.0.1:${port}/login/backchannel-logout`;
  const idp = await startIdentityProvider({
    clients: [{ ...client, callbacks, backchannelLogout }],
    people: [{ email, givenName: "Ada" }],
  });
  onTestFinished(() => idp.stop());
  const environment = {
    ...onStore(await createStorePlace()),
    [`SITE_ORIGIN_${site.site}`]: site.origin,
    [`OIDC_ISSUER_${site.site}`]: idp.issuer,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
  };
  const replicas = await Promise.all([
    startReplica({ ...environment, PORT: String(port) }),
    startReplica({ ...environment, DATA_DIR: undefined }),
  ]);
  return { idp, replicas };
}

/** The lines about the provider's outage and its end. */
function linesOf({ stdout }: Replica): string[] {
  const lines = stdout().trim().split("\n");
  return lines.map((line) => JSON.parse(line)).flatMap(({ upstream, msg }) => (upstream === "oidc" ? [msg] : []));
}

it("a session at a provider is one over two replicas, outlasts an outage, and ends at both", async () => {
  const { idp, replicas } = await start();
  const [one, other] = replicas.map(({ origin }) => createShopVisitor(origin, site));
  if (!one || !other) throw new Error("there are two replicas");
  const tokenRequests = () => idp.requests.filter((request) => request === "POST /token").length;

  const { headers } = await one.open("/login");
  const answer = await createProviderVisitor().signIn(headers.location ?? "", email);
  other.jar = one.jar;
  const raced = await Promise.all([one.open(answer), other.open(answer)]);
  expect(raced.map(({ status }) => status).toSorted()).toEqual([303, 400]);
  expect(tokenRequests()).toBe(1);
  const [winner, loser] = raced[0]?.status === 303 ? [one, other] : [other, one];
  loser.jar = winner.jar;

  const tabs = replicas.flatMap(({ origin }) => [createShopVisitor(origin, site), createShopVisitor(origin, site)]);
  for (const tab of tabs) tab.jar = one.jar;
  expect(await Promise.all(tabs.map(async (tab) => (await tab.call(renewPath)).status))).toEqual(tabs.map(() => 201));
  expect(tokenRequests()).toBe(2);
  one.jar = other.jar = tabs[0]?.jar ?? {};

  await idp.stop();
  for (const tab of tabs) {
    expect((await tab.open(customerData)).body).toMatchObject({ email, firstName: "Ada" });
    expect((await tab.open(footer)).status).toBe(200);
    expect((await tab.call(renewPath)).status).toBe(500);
  }
  await idp.start();
  for (const [visitor, next] of [[one, other] as const, [other, one] as const]) {
    expect((await visitor.call(renewPath)).status).toBe(201);
    next.jar = visitor.jar;
  }
  for (const replica of replicas)
    await expect.poll(() => linesOf(replica)).toEqual(["upstream failed", "upstream recovered"]);

  await idp.endByBackchannel(client.id, email);
  for (const tab of [one, other]) {
    expect((await tab.open(customerData)).status).toBe(401);
    expect((await tab.call(renewPath)).status).toBe(401);
    expect(tab.jar).toEqual({});
  }
});
