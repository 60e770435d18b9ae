import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import type { Site } from "../../server/sites/countries.ts";
import { sites } from "../support/test-app.ts";
import { showHostPage } from "./host-page.ts";
import { test } from "./shop-test.ts";
import { desktop, viewports } from "./viewports.ts";

describe.for(sites)("$site", (site) => {
  test("has the country switcher in the large layout only", async ({ open }) => {
    const page = await open(site, desktop);
    await expect(summary(page)).toBeVisible();
    await page.setViewportSize(viewports.TABLET);
    await expect(summary(page)).toBeHidden();
    await page.setViewportSize(viewports.MATCH);
    await expect(summary(page)).toBeHidden();
  });

  test("opens by keyboard and names every country in its own language", async ({ open, shop }) => {
    const page = await open(site, desktop);
    await expect(links(page).filter({ visible: true })).toHaveCount(0);
    await summary(page).focus();
    await page.keyboard.press("Enter");
    await expect(links(page).filter({ visible: true })).toHaveCount(shop.sites.length);
    for (const other of shop.sites) {
      const link = linkTo(page, other);
      await expect(link).toHaveText(countryName(other));
      await expect(link).toHaveAttribute("href", shop.address(other));
      await expect(link).toHaveAttribute("hreflang", other.locale);
      await expect(link).toHaveAttribute("lang", other.locale);
      await expect(link).not.toHaveAttribute("target");
      if (other.site === site.site) await expect(link).toHaveAttribute("aria-current", "true");
      else await expect(link).not.toHaveAttribute("aria-current");
      await expect(link).toBeInViewport({ ratio: 1 });
    }
  });

  test("leads to the site of the chosen country", async ({ open, shop }) => {
    const next = shop.sites[(sites.indexOf(site) + 1) % sites.length] ?? site;
    const page = await open(site, desktop);
    await summary(page).focus();
    await page.keyboard.press("Space");
    await linkTo(page, next).focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(shop.address(next));
    await expect(page.locator("html")).toHaveAttribute("lang", next.locale);
    await expect(page.locator("footer[data-fragment=footer]")).toHaveAttribute("data-site", next.site);
    await expect(summary(page)).toContainText(countryName(next));
  });

  test("closes on Escape and gives the focus back", async ({ open }) => {
    const page = await open(site, desktop);
    await summary(page).press("Enter");
    await page.keyboard.press("Tab");
    await expect(links(page).first()).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(links(page).filter({ visible: true })).toHaveCount(0);
    await expect(summary(page)).toBeFocused();
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
});

describe.for(sites.slice(0, 1))("$site on a page of somebody else", (site) => {
  test("closes on a click elsewhere, even where the page keeps clicks to itself", async ({ sharedPage, shop }) => {
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

function linkTo(page: Page, site: Site) {
  return page.locator(`[data-section=country-switcher] a[data-code="${site.switcher.code}"]`);
}

function countryName({ locale }: Site): string {
  const { region = "" } = new Intl.Locale(locale);
  return new Intl.DisplayNames(locale, { type: "region" }).of(region) ?? region;
}
