import { expect } from "playwright/test";
import { widgetDocs } from "../../../client/features/gallery/widget-docs.ts";
import { findViolations } from "../find-violations.ts";
import { test } from "../shop-test.ts";
import { desktop, viewports } from "../viewports.ts";

const pages = ["/widgets", ...widgetDocs.map(({ widget }) => `/widgets/${widget}`)];

test.for(pages)(
  "has no accessibility violation on a small or a large screen: %s",
  {
    timeout: 60_000,
  },
  async (path, { sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    await page.goto(`${shop.listener}${path}`);
    // In a window as high as the page, every example comes alive.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ ...viewports.CLASSIC, height });
    await expect(page.locator("[data-island-state=ready]")).toHaveCount(await page.locator("[data-island]").count(), {
      timeout: 30_000,
    });
    for (const viewport of [viewports.MATCH, viewports.CLASSIC]) {
      await page.setViewportSize(viewport);
      const found = await findViolations(page, undefined, viewport === viewports.MATCH);
      expect(found, `${viewport.width} px wide`).toEqual([]);
    }
  },
);
