import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import type { Site } from "../../server/sites/countries.ts";
import { sites } from "../support/test-app.ts";
import { anySite, siteWith } from "./chosen-sites.ts";
import { showHostPage } from "./host-page.ts";
import { test } from "./shop-test.ts";
import { desktop, viewports } from "./viewports.ts";

describe.for(sites)("the country switcher of $site", (site) => {
  test("opens by keyboard and names every country in its own language", async ({ open, shop }) => {
    const page = await open(site, desktop);
    await expect(links(page).filter({ visible: true })).toHaveCount(0);
    await summary(page).focus();
    await page.keyboard.press("Enter");
    await expect(links(page).filter({ visible: true })).toHaveCount(shop.sites.length);
    expect(await links(page).evaluateAll(describeLinks)).toEqual(
      shop.sites.toSorted(byCode).map((other) => ({
        code: other.switcher.code,
        text: countryName(other),
        href: shop.address(other),
        hreflang: other.locale,
        lang: other.locale,
        target: null,
        current: other.site === site.site ? "true" : null,
        isInWindow: true,
      })),
    );
  });
});

describe("the country switcher", () => {
  const site = anySite;

  test("is there in the large layout only", async ({ open }) => {
    const page = await open(site, desktop);
    await expect(summary(page)).toBeVisible();
    await page.setViewportSize(viewports.TABLET);
    await expect(summary(page)).toBeHidden();
    await page.setViewportSize(viewports.MATCH);
    await expect(summary(page)).toBeHidden();
  });

  test("leads to the site of the chosen country", async ({ open, shop }) => {
    const next = siteWith(({ site: code }) => code !== site.site);
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

  test("closes on a click elsewhere, even where the page of somebody else keeps clicks to itself", async ({
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

function byCode(one: Site, other: Site): number {
  return one.switcher.code.localeCompare(other.switcher.code);
}

/** In the page: what each link says and does, in the order of their codes. */
function describeLinks(all: (SVGElement | HTMLElement)[]) {
  return all
    .map((link) => {
      const { top, bottom, left, right } = link.getBoundingClientRect();
      return {
        code: link.dataset.code ?? "",
        text: link.textContent,
        href: link.getAttribute("href"),
        hreflang: link.getAttribute("hreflang"),
        lang: link.getAttribute("lang"),
        target: link.getAttribute("target"),
        current: link.getAttribute("aria-current"),
        isInWindow: top >= 0 && left >= 0 && bottom <= window.innerHeight && right <= window.innerWidth,
      };
    })
    .sort((one, other) => one.code.localeCompare(other.code));
}

function linkTo(page: Page, site: Site) {
  return page.locator(`[data-section=country-switcher] a[data-code="${site.switcher.code}"]`);
}

function countryName({ locale }: Site): string {
  const { region = "" } = new Intl.Locale(locale);
  return new Intl.DisplayNames(locale, { type: "region" }).of(region) ?? region;
}
