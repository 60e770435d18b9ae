import { describe, onTestFinished } from "vitest";
import type { Env } from "../../server/config/env.ts";
import { writeToken } from "../client/features/session/write-token.ts";
import { type IdentityProvider, startIdentityProvider } from "../support/identity-provider.ts";
import { siteOf, texts } from "../support/test-app.ts";
import { expect } from "./expect.ts";
import { test } from "./shop-test.ts";
import { startShop } from "./start-shop.ts";
import { desktop } from "./viewports.ts";

const site = siteOf("DE");
const email = "ada@shop.example";
const greeting = texts.translator(site.locale, "page", { name: "Ada" })("account.signedIn");
const client = { clientId: "shop", clientSecret: "the client's secret" };

describe("a customer of a site with an identity provider", () => {
  test("signs in there, stays signed in in two tabs, and signs out", async ({ newPage }) => {
    const shop = await startShop({ startProviders });
    onTestFinished(() => shop.close());
    const page = await newPage(desktop);
    await page.goto(shop.address(site));
    await page.getByRole("link", { name: texts.translator(site.locale, "page")("account.login") }).click();
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(shop.address(site));
    await expect(page.getByText(greeting)).toBeVisible();

    const other = await page.context().newPage();
    await other.goto(shop.address(site), { waitUntil: "networkidle" });
    const renewals: number[] = [];
    page.context().on("response", (response) => {
      if (response.url().endsWith("/logintoken/renew")) renewals.push(response.status());
    });
    const due = writeToken({ ren: -60, exp: 600, lid: "1" });
    await page.context().addCookies([{ name: "LoginToken", value: due, url: shop.address(site) }]);
    await Promise.all([page, other].map((tab) => tab.keyboard.press("Shift")));
    await expect.poll(async () => (await page.context().cookies()).find(isClock)?.value).not.toBe(due);
    expect(renewals).toEqual([201]);

    await page.getByRole("button", { name: texts.translator(site.locale, "page")("account.logout") }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(shop.address(site));
    await expect(page.getByText(greeting)).toBeHidden();
    const names = (await page.context().cookies(shop.address(site))).map(({ name }) => name);
    expect(names.filter((name) => ["LoginToken", "login", "LongtermToken"].includes(name))).toEqual([]);
  });

  // The console of a browser names the refused renewal.
  test("is signed out on an open page once the provider says so", async ({ unwatchedPage }) => {
    let idp: IdentityProvider | undefined;
    const shop = await startShop({
      async startProviders(port) {
        idp = await startProvider(port);
        return settingsOf(idp);
      },
    });
    onTestFinished(() => shop.close());
    const page = await unwatchedPage(desktop);
    await page.goto(shop.address(site, "/login"));
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText(greeting)).toBeVisible();
    // A call that the end overtakes would remove the clock before the renewal.
    await page.waitForLoadState("networkidle");
    await idp?.endByBackchannel(client.clientId, email);
    const due = writeToken({ ren: -60, exp: 600, lid: "1" });
    await page.context().addCookies([{ name: "LoginToken", value: due, url: shop.address(site) }]);
    const renewals: number[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith("/logintoken/renew")) renewals.push(response.status());
    });
    // The script that notices activity may still be loading.
    const press = async () => {
      await page.keyboard.press("Shift");
      return renewals;
    };
    await expect.poll(press).toContain(401);
    await expect.poll(async () => (await page.context().cookies(shop.address(site))).some(isClock)).toBe(false);
    await page.reload();
    await expect(page.getByText(greeting)).toBeHidden();
  });
});

function isClock({ name }: { name: string }): boolean {
  return name === "LoginToken";
}

async function startProviders(port: number): Promise<Env["identityProviders"]> {
  return settingsOf(await startProvider(port));
}

/** Starts a provider, which ends with the test. */
async function startProvider(port: number): Promise<IdentityProvider> {
  const origin = `http://${site.localHost.replace(/:\d+$/, "")}:${port}`;
  const addresses = { callbacks: [`${origin}/login/callback`], afterLogout: [`${origin}/`] };
  const backchannelLogout = `http://127.0.0.1:${port}/login/backchannel-logout`;
  const provider = await startIdentityProvider({
    clients: [{ id: client.clientId, secret: client.clientSecret, ...addresses, backchannelLogout }],
    people: [{ email, givenName: "Ada" }],
  });
  onTestFinished(() => provider.stop());
  return provider;
}

/** The provider is that of one site. */
function settingsOf({ issuer }: IdentityProvider): Env["identityProviders"] {
  return new Map([[site.site, { issuer, ...client }]]);
}
