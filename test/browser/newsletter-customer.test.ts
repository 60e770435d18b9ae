import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import type { Site } from "../../server/sites/countries.ts";
import { newsletterKinds, siteWith } from "./chosen-sites.ts";
import { answerSignUps, openNewsletter } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import type { Shop } from "./start-shop.ts";
import { desktop } from "./viewports.ts";

const customer = { email: "anna@example.com", salutation: "MRS", firstName: "Anna", lastName: "Beispiel" };

describe.for(newsletterKinds)("the form of $site", (site) => {
  test("fills in what is known of a customer when it is seen, and locks it where the country wants that", async ({
    newPage,
    shop,
  }) => {
    const page = await newPage(desktop);
    const sent = await answerSignUps(page);
    await signIn(page, shop, site, { ...customer, consents: [] });
    await page.goto(shop.address(site));
    const block = page.locator("[data-island=newsletter]");
    await block.scrollIntoViewIfNeeded();
    for (const [name, value] of Object.entries(customer)) {
      const field = block.locator(`[name=${name}]`);
      await expect(field).toHaveValue(value);
      await expect(field).toBeVisible();
      await expect(field).toBeEnabled({ enabled: !(site.newsletter.lockPrefilled && name !== "email") });
    }
    if (site.newsletter.legals) await block.locator("[name=consents][value=NEWSLETTER]").check();
    await block.locator("[type=submit]").click();
    await expect(block.locator("[role=status]")).toContainText(customer.email);
    expect(sent[0]?.postDataJSON()).toMatchObject(customer);
  });
});

describe("the form", () => {
  const site = siteWith(
    ({ newsletter }) => newsletter.lockPrefilled && !newsletter.legals && newsletter.names === "optional",
  );

  test("neither asks for nor sends a consent to personalised offers that the customer has given", async ({
    newPage,
    shop,
  }) => {
    const page = await newPage(desktop);
    const sent = await answerSignUps(page);
    await signIn(page, shop, site, { ...customer, consents: ["DNE"] });
    const block = await openNewsletter(page, shop, site);
    await expect(block.locator("[name=email]")).toHaveValue(customer.email);
    await expect(block.locator("[value=DNE]")).toHaveCount(0);
    await block.locator("[type=submit]").click();
    await expect(block.locator("[role=status]")).toContainText(customer.email);
    expect(sent[0]?.postDataJSON()).toMatchObject({ consents: [] });
  });

  test("never overwrites or locks what was typed before the answer came", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const asked = Promise.withResolvers<void>();
    await signIn(page, shop, site, customer, asked.promise);
    const block = await openNewsletter(page, shop, site);
    await block.locator("[name=email]").fill("bert@example.com");
    await block.locator("[name=firstName]").fill("Bert");
    asked.resolve();
    await expect(block.locator("[name=lastName]")).toHaveValue("Beispiel");
    await expect(block.locator("[name=email]")).toHaveValue("bert@example.com");
    await expect(block.locator("[name=firstName]")).toHaveValue("Bert");
    await expect(block.locator("[name=firstName]")).toBeEnabled();
    await expect(block.locator("[name=lastName]")).toBeDisabled();
  });

  test("locks nothing that the customer has to put right", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const sent = await answerSignUps(page);
    await signIn(page, shop, site, { ...customer, lastName: "Beispiel!", consents: [] });
    const block = await openNewsletter(page, shop, site);
    const lastName = block.locator("[name=lastName]");
    await expect(lastName).toHaveValue("Beispiel!");
    await expect(block.locator("[name=firstName]")).toBeDisabled();
    await block.locator("[type=submit]").click();
    await expect(lastName).toBeFocused();
    await lastName.fill("O’Brien");
    await block.locator("[type=submit]").click();
    await expect(block.locator("[role=status]")).toContainText(customer.email);
    expect(sent[0]?.postDataJSON()).toMatchObject({ ...customer, lastName: "O'Brien" });
  });

  test("asks nobody for a visitor who isn't signed in", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const block = await openNewsletter(page, shop, site);
    await block.locator("[name=email]").focus();
    await expect(block.locator("[name=firstName]")).toBeVisible();
    expect(asked.filter((url) => url.includes("base-data"))).toEqual([]);
  });

  test("stays as it is when nothing can be found out", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await signIn(page, shop, site, customer);
    await page.route("**/customers/base-data", (route) => route.abort("aborted"));
    const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("base-data"));
    const block = await openNewsletter(page, shop, site);
    await failed;
    await expect(block.locator("[name=email]")).toHaveValue("");
    await expect(block.locator("[name=firstName]")).toBeHidden();
  });
});

async function signIn(page: Page, shop: Shop, site: Site, known: object, answered?: Promise<void>) {
  await page.context().addCookies([{ name: "LoginToken", value: "a.b.c", url: shop.address(site) }]);
  await page.route("**/customers/newsletter-status", (route) => route.fulfill({ json: { status: "NONE" } }));
  await page.route("**/service/newsletter/api/private/customers/base-data", async (route) => {
    await answered;
    await route.fulfill({ json: known });
  });
}
