import { describe } from "vitest";
import { blockText, pageText } from "../support/newsletter-pages.ts";
import { siteWith } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { findViolations } from "./find-violations.ts";
import { fillInRequired, openNewsletter } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

const voucherCode = /^[2-9A-Z]{12}$/m;

describe("the newsletter", () => {
  const site = siteWith(({ newsletter }) => newsletter.legals);

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
    await expect(form.locator("[role=status]")).toContainText(blockText(site)("success.heading"));
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
    expect((await shop.mailsTo(email)).at(-1)).toMatch(voucherCode);
    await page.reload();
    await expect(page.getByRole("row", { name: email })).toHaveCount(2);
  });
});
