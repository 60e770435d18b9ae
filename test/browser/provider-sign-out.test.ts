import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright";
import { describe, onTestFinished } from "vitest";
import { readCountries } from "../../server/sites/countries.ts";
import { startIdentityProvider } from "../support/identity-provider.ts";
import { client } from "../support/provider-login-test.ts";
import { createTestApp, drawings, texts } from "../support/test-app.ts";
import { expect } from "./expect.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

const email = "ada@shop.example";

/** Starts a shop whose customers sign in at a provider. */
async function start() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { countries } = await readCountries({ folder: "countries", drawings, texts, localPort: port });
  const host = countries.get("DE")?.origin ?? "";
  const idp = await startIdentityProvider({
    clients: [{ ...client, callbacks: [`${host}/login/callback`], afterLogout: [`${host}/`] }],
    people: [{ email, givenName: "Ada" }],
  });
  const settings = { issuer: idp.issuer, clientId: client.id, clientSecret: client.secret };
  const { app } = await createTestApp({ countries, demo: true, identityProviders: new Map([["DE", settings]]) });
  server.on("request", app);
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await idp.stop();
  });
  return { host, idp };
}

describe("the sign-out button of a customer of an identity provider", () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`ends both sessions under the page's policy, ${javaScriptEnabled ? "with" : "without"} script`, async ({
      newPage,
    }) => {
      const { host, idp } = await start();
      const page = await newPage({ ...desktop, javaScriptEnabled });
      const known = javaScriptEnabled && answersAboutCustomer(page);
      await page.goto(`${host}/login`);
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(`${host}/`);
      await known;
      await page.locator("header form[action='/logout'] button").click();
      await page.waitForURL(`${idp.issuer}/**`);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL(`${host}/`);
      expect((await page.context().cookies(host)).map(({ name }) => name)).not.toContain("login");
      // The provider asks again.
      await page.goto(`${host}/login`);
      await expect(page.getByLabel("Email")).toBeVisible();
    });
  }
});

/** The calls of a signed-in page. One that a sign-out overtakes is refused, which the console would name. */
function answersAboutCustomer(page: Page) {
  return Promise.all(["newsletter-status", "base-data"].map((call) => page.waitForResponse(`**/${call}`)));
}
