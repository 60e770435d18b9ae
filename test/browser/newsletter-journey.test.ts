import type { Locator, Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import type { Site } from "../../server/sites/countries.ts";
import { blockText, pageText } from "../support/newsletter-pages.ts";
import { plainSite, siteWith } from "./chosen-sites.ts";
import { findViolations } from "./find-violations.ts";
import { fillInRequired, openNewsletter } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import type { Shop } from "./start-shop.ts";
import { desktop, phone } from "./viewports.ts";

const voucherCode = /^[2-9A-Z]{12}$/m;

describe("the newsletter with the longest form", () => {
  const site = siteWith(({ newsletter }) => newsletter.legals);

  test("leads from the footer by the mail's link to the welcome voucher", async ({ sharedPage, shop }) => {
    const email = "anna@journey.example";
    const page = await sharedPage(phone);
    const form = await openNewsletter(page, shop, site);
    await fillInRequired(form, site);
    await form.locator("[name=email]").fill(email);
    await form.locator("[type=submit]").click();
    await expectThanks(form, site, email);
    await expect(form.locator("[role=status] :focus")).toHaveCount(1);
    await confirm(page, shop, site, email);
  });
});

describe("the newsletter", () => {
  const site = plainSite;

  test("leads from the footer through the outbox to the confirmation, without a mail server", async ({
    newPage,
    shop,
  }) => {
    const email = "anna@outbox.example";
    const page = await newPage(desktop);
    const form = await openNewsletter(page, shop, site);
    await fillInRequired(form, site);
    await form.locator("[name=email]").fill(email);
    await form.locator("[type=submit]").click();
    await expectThanks(form, site, email);
    await shop.mailsTo(email);

    await page.goto(`${shop.listener}/`);
    await page.locator('a[href="/outbox"]').click();
    expect(await findViolations(page), "the list").toEqual([]);
    await page.getByRole("row", { name: email }).getByRole("link").click();
    await expect(page.locator("h2").first()).toHaveAttribute("lang", site.locale);
    for (const details of await page.locator("summary").all()) await details.click();
    expect(await findViolations(page), "the mail").toEqual([]);
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

    const opened = page.context().waitForEvent("page");
    await page.frameLocator("iframe").locator("a.button").click();
    const shopPage = await opened;
    const text = pageText(site);
    await expect(shopPage.locator("h1")).toHaveText(text("confirm.title"));
    await shopPage.getByRole("button", { name: text("confirm.button") }).click();
    await expect(shopPage.locator("h1")).toHaveText(text("confirmed.title"));
    await shop.mailsTo(email);
    await page.reload();
    await expect(page.getByRole("row", { name: email })).toHaveCount(2);
  });
});

async function expectThanks(block: Locator, site: Site, email: string) {
  const status = block.locator("[role=status]");
  await expect(status).toContainText(blockText(site)("success.heading"));
  await expect(status).toContainText(email);
  await expect(block.locator("form")).toBeHidden();
}

/** Opens the link of the mail, presses the button of its page, and expects the mail with the voucher. */
async function confirm(page: Page, shop: Shop, site: Site, email: string) {
  const text = pageText(site);
  const [question = "", ...others] = await shop.mailsTo(email);
  expect(others).toEqual([]);
  const [link = ""] = /http:\S+\/newsletter\/confirm\?token=\S+/.exec(question) ?? [];
  await page.goto(link);
  await expect(page.locator("h1")).toHaveText(text("confirm.title"));
  expect(await shop.mailsTo(email)).toHaveLength(1);
  await page.getByRole("button", { name: text("confirm.button") }).click();
  await expect(page).toHaveURL(shop.address(site, "/newsletter/confirmed"));
  await expect(page.locator("h1")).toHaveText(text("confirmed.title"));
  await expect.poll(() => shop.mailsTo(email)).toHaveLength(2);
  expect((await shop.mailsTo(email))[1]).toMatch(voucherCode);
}
