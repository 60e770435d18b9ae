import type { Page } from "playwright";
import { describe } from "vitest";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { showHostPage } from "./host-page.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

describe("the country switcher", () => {
  const site = anySite;

  test("opens by keyboard, with every country in the window", async ({ open, shop }) => {
    const page = await open(site, desktop);
    await expect(links(page).filter({ visible: true })).toHaveCount(0);
    await summary(page).press("Enter");
    await expect(links(page).filter({ visible: true })).toHaveCount(shop.sites.length);
    for (const link of await links(page).all()) await expect(link).toBeInViewport({ ratio: 1 });
  });

  test("closes when the focus leaves it, to either side", async ({ open, shop }) => {
    const page = await open(site, desktop);
    await summary(page).press("Enter");
    await links(page).last().focus();
    await expect(links(page).filter({ visible: true })).toHaveCount(shop.sites.length);
    await page.locator("[data-section=legal] a").last().focus();
    await expect(links(page).filter({ visible: true })).toHaveCount(0);

    await summary(page).press("Enter");
    await expect(links(page).filter({ visible: true })).toHaveCount(shop.sites.length);
    await page.keyboard.press("Shift+Tab");
    await expect(links(page).filter({ visible: true })).toHaveCount(0);
    await expect(summary(page)).not.toBeFocused();
  });

  test("closes on a click elsewhere, even where the host page stops the propagation of clicks", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    await showHostPage(page, shop, { site });
    await page.locator("main").evaluate((main) => {
      main.addEventListener("click", (event) => event.stopPropagation());
    });
    const switchers = page.locator("[data-section=country-switcher] details");
    await summary(page).first().click();
    await expect(switchers.first()).toHaveAttribute("open");
    await summary(page).last().click();
    await expect(switchers.first()).not.toHaveAttribute("open");
    await expect(switchers.last()).toHaveAttribute("open");
    await page.locator("main p").first().click();
    await expect(switchers.last()).not.toHaveAttribute("open");
    await expect(page.locator("main details")).toHaveAttribute("open");
  });
});

function summary(page: Page) {
  return page.locator("[data-section=country-switcher] summary");
}

function links(page: Page) {
  return page.locator("[data-section=country-switcher] a");
}
