import { afterAll, describe, expect, it } from "vitest";
import { startIdentityProvider } from "../../../../support/identity-provider.ts";
import { startMisbehavingProvider } from "../../../../support/misbehaving-provider.ts";
import { callbacks, client, createProviderApp, createShopVisitor } from "../../../../support/provider-login-test.ts";
import { createProviderVisitor } from "../../../../support/provider-visitor.ts";
import { hang } from "../../../../support/start-stub.ts";
import { siteOf, sites } from "../../../../support/test-app.ts";

const email = "ada@shop.example";
const eve = "eve@shop.example";
const afterLogout = sites.map(({ origin }) => `${origin}/`);
const idp = await startIdentityProvider({
  clients: [{ ...client, callbacks, afterLogout }],
  people: [{ email }, { email: eve }],
});
afterAll(() => idp.stop());
const { app } = await createProviderApp(idp.issuer);
const customerData = "/service/newsletter/api/private/customers/base-data";
const countOf = (call: string) => idp.requests.filter((one) => one === call).length;

/** Signs somebody in, with the browser at the provider. */
async function signIn() {
  const [visitor, browser] = [createShopVisitor(app), createProviderVisitor()];
  const { headers } = await visitor.open("/login");
  await visitor.open(await browser.signIn(headers.location ?? "", email));
  expect((await visitor.open(customerData)).status).toBe(200);
  const before = createShopVisitor(app);
  before.jar = visitor.jar;
  return { visitor, browser, before };
}

describe("the sign-out of a customer who has signed in at an identity provider", () => {
  it("leads through the provider, where the session ends too, back to the shop", async () => {
    const { visitor, browser, before } = await signIn();
    const { status, headers } = await visitor.post("/logout");
    const { origin, searchParams } = new URL(headers.location ?? "");
    expect([status, origin, visitor.jar]).toEqual([303, idp.issuer, {}]);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: client.id,
      id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      post_logout_redirect_uri: `${siteOf("DE").origin}/`,
    });
    expect((await before.open(customerData)).status).toBe(401);
    expect(await browser.signOut(headers.location ?? "")).toBe(`${siteOf("DE").origin}/`);
    // With a session there, it would be Ada again, unasked.
    const other = createShopVisitor(app);
    const again = (await other.open("/login")).headers.location ?? "";
    await other.open(await browser.signIn(again, eve));
    expect((await other.open(customerData)).body.email).toBe(eve);
  });

  it("by the call stays here, and makes the refresh token worthless at the provider", async () => {
    const { visitor, before } = await signIn();
    const revoked = countOf("POST /token/revocation");
    const { status, headers } = await visitor.call("/service/login/api/v1/logout");
    expect([status, headers.location, visitor.jar]).toEqual([204, undefined, {}]);
    expect((await before.open(customerData)).status).toBe(401);
    await expect.poll(() => countOf("POST /token/revocation")).toBe(revoked + 1);
  });

  it("leads to the shop while the provider is down, though its address is known", async () => {
    const { visitor, before } = await signIn();
    await idp.stop();
    const { status, headers } = await visitor.post("/logout");
    await idp.start();
    expect([status, headers.location, visitor.jar]).toEqual([303, "/", {}]);
    expect((await before.open(customerData)).status).toBe(401);
  });

  it("leads to the shop if nobody is signed in", async () => {
    const { status, headers } = await createShopVisitor(app).post("/logout");
    expect([status, headers.location]).toEqual([303, "/"]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["ends no sessions", { end_session_endpoint: undefined }],
    [
      "ends them at another origin, which the page's policy doesn't name",
      { end_session_endpoint: "https://other.example/" },
    ],
  ])("leads to the shop if the provider %s", async (_name, metadata) => {
    expect(await signOutAt(metadata)).toEqual([303, "/", {}]);
  });

  it("doesn't wait for a provider that hangs", async () => {
    const start = performance.now();
    expect(await signOutAt({}, true)).toEqual([303, "/", {}]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

/** Signs in at a provider that asks nobody, and signs out by the form. */
async function signOutAt(metadata: Record<string, unknown>, hangs = false) {
  const provider = await startMisbehavingProvider(client);
  Object.assign(provider.metadata, metadata);
  const visitor = createShopVisitor((await createProviderApp(provider.issuer)).app);
  const { headers } = await visitor.open("/login");
  const answer = await fetch(headers.location ?? "", { redirect: "manual" });
  expect((await visitor.open(answer.headers.get("location") ?? "")).status).toBe(303);
  if (hangs) provider.answers.set("/jwks", hang);
  const out = await visitor.post("/logout");
  return [out.status, out.headers.location, visitor.jar];
}
