import { expect } from "playwright/test";
import { findViolations } from "../find-violations.ts";
import { test } from "../shop-test.ts";
import { desktop, viewports } from "../viewports.ts";

const examples = '.sf-specimen:has([lang="en"])';

// All widgets at once: axe reads the whole page, whatever part of it is asked for.
test("no example of a widget has an accessibility violation on a small or a large screen", {
  timeout: 180_000,
}, async ({ sharedPage, shop }) => {
  const page = await sharedPage(desktop);
  await page.goto(`${shop.listener}/widgets`);
  await page.locator(".sf-specimen").evaluateAll((all, kept) => {
    for (const specimen of all) if (!specimen.matches(kept)) specimen.remove();
  }, examples);
  // In a window as high as the page, every example comes alive.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ ...viewports.CLASSIC, height });
  await expect(page.locator("[data-island-state=ready]")).toHaveCount(await page.locator("[data-island]").count(), {
    timeout: 60_000,
  });
  for (const viewport of [viewports.MATCH, viewports.CLASSIC]) {
    await page.setViewportSize(viewport);
    expect(await findViolations(page, examples), `${viewport.width} px wide`).toEqual([]);
  }
});
