import { expect } from "playwright/test";
import { describe } from "vitest";
import { pageText } from "../support/newsletter-pages.ts";
import { plainSite } from "./chosen-sites.ts";
import { findViolations } from "./find-violations.ts";
import { fillInRequired, openNewsletter } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

describe("the outbox", () => {
  test("leads from a sign-up by the mail's link to the confirmation, without a mail server", async ({
    newPage,
    shop,
  }) => {
    const email = "anna@outbox.example";
    const page = await newPage(desktop);
    const form = await openNewsletter(page, shop, plainSite);
    await fillInRequired(form, plainSite);
    await form.locator("[name=email]").fill(email);
    await form.locator("[type=submit]").click();
    await expect(form.locator("[role=status]")).toContainText(email);
    await shop.mailsTo(email);

    await page.goto(`${shop.listener}/`);
    await page.locator('a[href="/outbox"]').click();
    expect(await findViolations(page), "the list").toEqual([]);
    await page.getByRole("row", { name: email }).getByRole("link").click();
    await expect(page.locator("h2").first()).toHaveAttribute("lang", plainSite.locale);
    for (const details of await page.locator("summary").all()) await details.click();
    expect(await findViolations(page), "the mail").toEqual([]);
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

    const opened = page.context().waitForEvent("page");
    await page.frameLocator("iframe").locator("a.button").click();
    const shopPage = await opened;
    const text = pageText(plainSite);
    await expect(shopPage.locator("h1")).toHaveText(text("confirm.title"));
    await shopPage.getByRole("button", { name: text("confirm.button") }).click();
    await expect(shopPage.locator("h1")).toHaveText(text("confirmed.title"));
    await shop.mailsTo(email);
    await page.reload();
    await expect(page.getByRole("row", { name: email })).toHaveCount(2);
  });
});
