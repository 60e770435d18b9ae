import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { anySite, siteWith } from "./chosen-sites.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

const phoneWithoutScript = { ...phone, javaScriptEnabled: false };
const desktopWithoutScript = { ...desktop, javaScriptEnabled: false };

describe("a page without JavaScript", () => {
  const site = anySite;

  test("shows the same text without JavaScript, and all fields of the newsletter", async ({ open }) => {
    const withScript = await open(site, phone);
    const text = await textBesideNewsletter(withScript);
    const withoutScript = await open(site, phoneWithoutScript);
    expect(await textBesideNewsletter(withoutScript)).toBe(text);
  });

  test("opens its service lists without JavaScript", async ({ open }) => {
    const page = await open(site, phoneWithoutScript);
    const teaser = page.locator("[data-section=teasers] nav").first();
    await teaser.locator("summary").tap();
    await expect(teaser.getByRole("link").first()).toBeVisible();
    await teaser.locator("summary").focus();
    await page.keyboard.press("Enter");
    await expect(teaser.getByRole("link")).toHaveCount(0);
  });

  test("shows its service lists in the large layout and changes the country without JavaScript", async ({ open }) => {
    const next = siteWith(({ site: code }) => code !== site.site);
    const page = await open(site, desktopWithoutScript);
    await expect(page.locator("[data-section=teasers] ul").filter({ visible: false })).toHaveCount(0);
    await page.locator("[data-section=country-switcher] summary").click();
    await page.locator(`[data-section=country-switcher] a[data-code="${next.switcher.code}"]`).click();
    await expect(page.locator("footer[data-fragment=footer]")).toHaveAttribute("data-site", next.site);
  });
});

async function textBesideNewsletter(page: Page): Promise<string> {
  const newsletter = await page.locator("[data-section=newsletter]").innerText();
  const text = await page.locator("body").innerText();
  expect(text).toContain(newsletter);
  return text.replace(newsletter, "");
}
