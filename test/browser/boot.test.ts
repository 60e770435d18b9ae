import { expect } from "playwright/test";
import { describe } from "vitest";
import { sites } from "../test-app.ts";
import { showHostPage } from "./host-page.ts";
import { test } from "./shop-test.ts";
import type { Shop } from "./start-shop.ts";
import { desktop, viewports } from "./viewports.ts";

function siteOf(shop: Shop, code: string) {
  const site = shop.sites.find((known) => known.site === code);
  if (!site) throw new Error(`no site ${code}`);
  return site;
}

describe.each(sites.map(({ site }) => site))("the footer of %s on a page of somebody else", (code) => {
  test("names the platform that the window makes it, also when that changes", async ({ newPage, shop }) => {
    const site = siteOf(shop, code);
    const page = await newPage(desktop);
    await showHostPage(page, shop, { site });
    const footer = page.locator("footer[data-fragment]").first();
    for (const [platform, viewport] of Object.entries(viewports)) {
      await page.setViewportSize(viewport);
      await expect(footer).toHaveAttribute("data-platform", platform);
    }
  });

  test("is reduced by the visitor's cookie, though the edge has stripped it", async ({ newPage, shop }) => {
    const site = siteOf(shop, code);
    const page = await newPage(desktop);
    await page.context().addCookies([{ name: "affiliateNumber", value: "1", url: shop.address(site) }]);
    await showHostPage(page, shop, { site });
    const footer = page.locator("footer[data-fragment]").first();
    await expect(footer).toHaveAttribute("data-reduced", "true");
    await expect(footer.locator("[data-section=teasers], [data-section=newsletter], [data-section=seo]")).toHaveCount(
      0,
    );
    await expect(footer.locator("[data-section=legal]")).toBeVisible();
  });

  test("hides the newsletter where the page says so", async ({ newPage, shop }) => {
    const site = siteOf(shop, code);
    const page = await newPage(desktop);
    await showHostPage(page, shop, { site });
    const newsletter = page.locator("footer[data-fragment] [data-section=newsletter]").first();
    await expect(newsletter).toBeVisible();
    await page.evaluate(() => {
      document.documentElement.dataset.newsletterFormHidden = "true";
    });
    await expect(newsletter).toBeHidden();
  });
});
