import { expect } from "playwright/test";
import { describe, onTestFinished } from "vitest";
import type { Env } from "../../server/config/env.ts";
import { writeToken } from "../client/features/session/write-token.ts";
import { startIdentityProvider } from "../support/identity-provider.ts";
import { siteOf, texts } from "../support/test-app.ts";
import { test } from "./shop-test.ts";
import { startShop } from "./start-shop.ts";
import { desktop } from "./viewports.ts";

const site = siteOf("DE");
const email = "ada@shop.example";

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
    const greeting = texts.translator(site.locale, "page", { name: "Ada" })("account.signedIn");
    await expect(page.getByText(greeting)).toBeVisible();

    const other = await page.context().newPage();
    await other.goto(shop.address(site));
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
    await expect(page.getByText(greeting)).toBeHidden();
    const names = (await page.context().cookies(shop.address(site))).map(({ name }) => name);
    expect(names.filter((name) => ["LoginToken", "login", "LongtermToken"].includes(name))).toEqual([]);
  });
});

function isClock({ name }: { name: string }): boolean {
  return name === "LoginToken";
}

/** Starts a provider for one site, which ends with the test. */
async function startProviders(port: number): Promise<Env["identityProviders"]> {
  const client = { clientId: "shop", clientSecret: "the client's secret" };
  const callbacks = [`http://${site.localHost.replace(/:\d+$/, "")}:${port}/login/callback`];
  const people = [{ email, givenName: "Ada" }];
  const clients = [{ id: client.clientId, secret: client.clientSecret, callbacks }];
  const provider = await startIdentityProvider({ clients, people });
  onTestFinished(() => provider.stop());
  return new Map([[site.site, { issuer: provider.issuer, ...client }]]);
}
