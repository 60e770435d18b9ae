import { expect } from "playwright/test";
import { describe } from "vitest";
import { anySite } from "./chosen-sites.ts";
import { showHostPage } from "./host-page.ts";
import { test } from "./shop-test.ts";
import { desktop, viewports } from "./viewports.ts";

describe("the footer on a page of somebody else", () => {
  const site = anySite;

  test("names the platform that the window or the page makes it, also when that changes", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    await showHostPage(page, shop, { site });
    const footer = page.locator("footer[data-fragment]").last();
    for (const [platform, viewport] of Object.entries(viewports)) {
      await page.setViewportSize(viewport);
      await expect(footer).toHaveAttribute("data-platform", platform);
    }
    for (const platform of Object.keys(viewports)) {
      await page.evaluate((value) => document.documentElement.setAttribute("data-platform", value), platform);
      await expect(footer).toHaveAttribute("data-platform", platform);
    }
  });

  test("hides the newsletter where the page says so", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    await showHostPage(page, shop, { site });
    const newsletter = page.locator("footer[data-fragment] [data-section=newsletter]").first();
    await expect(newsletter).toBeVisible();
    await page.evaluate(() => {
      document.documentElement.dataset.newsletterFormHidden = "true";
    });
    await expect(newsletter).toBeHidden();
  });
});
