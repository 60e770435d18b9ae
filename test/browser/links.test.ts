import type { Page, Route } from "playwright";
import { describe } from "vitest";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { showHostPage } from "./host-page.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

describe("a link", () => {
  const site = anySite;

  test("to elsewhere opens a new tab that learns nothing of the page, whatever the page's own policy", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    await showHostPage(page, shop, { site });
    const referrers = await answerEverythingElse(page);
    const link = page.locator("[data-section=social] a").first();
    const opened = page.context().waitForEvent("page");
    await link.click();
    const tab = await opened;
    await expect(tab).toHaveURL((await link.getAttribute("href")) ?? "");
    await expect(tab.getByRole("heading")).toHaveText("Elsewhere");
    expect(await tab.evaluate(() => ({ referrer: document.referrer, opener: window.opener }))).toEqual({
      referrer: "",
      opener: null,
    });
    expect(referrers).toEqual([undefined]);
    await tab.close();
  });

  test("to the consent settings leaves them to a consent manager, and to a page where there is none", async ({
    open,
    shop,
  }) => {
    const page = await open(site, desktop);
    const referrers = await answerEverythingElse(page);
    await page.evaluate(() => {
      window.addEventListener("storefront:consent-open", (event) => event.preventDefault(), { once: true });
    });
    const link = page.locator("[data-section=legal] a[data-consent]");
    const path = (await link.getAttribute("href")) ?? "";
    await link.click();
    expect(referrers).toEqual([]);
    await link.click();
    await expect(page).toHaveURL(shop.address(site, path));
  });
});

/**
 * Answers every document except the open one, on any host.
 * @returns the referrer of each such request, undefined for none
 */
async function answerEverythingElse(page: Page): Promise<(string | undefined)[]> {
  const referrers: (string | undefined)[] = [];
  await page.context().route(/./, async (route: Route) => {
    const request = route.request();
    if (request.resourceType() !== "document") return route.fallback();
    referrers.push(request.headers().referer);
    await route.fulfill({
      contentType: "text/html",
      body: '<!doctype html><html lang="en"><title>Elsewhere</title><link rel="icon" href="data:,"><h1>Elsewhere</h1></html>',
    });
  });
  return referrers;
}
