import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { sites } from "../support/test-app.ts";
import { enlargeText } from "./enlarge-text.ts";
import { findOverflows } from "./find-overflows.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

const widths = [320, 375, 768, 1280, 1920];

describe.for(sites)("$site", (site) => {
  test("never scrolls sideways, at any width, nor when text is spaced as WCAG 1.4.12 wants it", async ({ open }) => {
    const page = await open(site, desktop);
    expect(await overflows(page)).toEqual([]);
    await page.evaluate(() => {
      const spacing = new CSSStyleSheet();
      spacing.replaceSync(
        "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }",
      );
      document.adoptedStyleSheets.push(spacing);
    });
    expect(await overflows(page), "with spaced text").toEqual([]);
  });
});

test("never scrolls sideways when text is twice as large", async ({ newPage, shop }) => {
  const page = await newPage(desktop);
  await enlargeText(page);
  const found: string[] = [];
  for (const site of shop.sites) {
    await page.goto(shop.address(site));
    await expect(page.locator("html")).toHaveCSS("font-size", "32px");
    found.push(...(await overflows(page)).map((overflow) => `${site.site} ${overflow}`));
  }
  expect(found).toEqual([]);
});

/** What sticks out of the window, with everything opened that opens in place. */
async function overflows(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await page.evaluate(findOverflows)).map((overflow) => `at ${width} px: ${overflow}`));
  }
  return found;
}
