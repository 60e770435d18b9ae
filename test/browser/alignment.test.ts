import type { Locator } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { anySite } from "./chosen-sites.ts";
import { enlargeText } from "./enlarge-text.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

describe("the home page", () => {
  test("has the edges of its footer in every window", async ({ open }) => {
    const page = await open(anySite, desktop);
    for (const width of [320, 375, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const footer = await findEdges(page.locator("footer .sf-inner").last());
      for (const part of [".sf-header", ".sf-main", ".sf-newsletter"]) {
        expect(await findEdges(page.locator(part)), `${part} at ${width} px`).toEqual(footer);
      }
    }
  });

  test("has its icons beside its name, and its picture fill one side", async ({ open }) => {
    const page = await open(anySite, desktop);
    await page.setViewportSize({ width: 320, height: 900 });
    const name = await page.locator(".sf-brand").boundingBox();
    const icons = await page.locator(".sf-header-account").boundingBox();
    expect(icons?.y).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0));
    for (const width of [768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const hero = await page.locator(".sf-hero").boundingBox();
      expect(await page.locator(".sf-hero-image").boundingBox()).toMatchObject({ y: hero?.y, height: hero?.height });
    }
  });

  test("has fewer columns when text is twice as large", async ({ newPage, shop }) => {
    const page = await newPage({ viewport: { width: 768, height: 900 } });
    const count = () =>
      Promise.all(
        [".sf-hero", ".sf-tiles", ".sf-newsletter-form", ".sf-teasers", ".sf-seo-columns"].map((part) =>
          page.locator(part).evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(" ").length),
        ),
      );
    await page.goto(shop.address(anySite));
    expect(await count()).toEqual([2, 4, 2, 2, 4]);
    await enlargeText(page);
    await page.goto(shop.address(anySite));
    expect(await count()).toEqual([1, 2, 1, 2, 2]);
  });
});

/** Where the content of a part begins and ends. */
function findEdges(part: Locator): Promise<{ left: number; right: number }> {
  return part.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    return { left: left + Number.parseFloat(paddingLeft), right: right - Number.parseFloat(paddingRight) };
  });
}
