import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { footerAt } from "../../server/sites/footer-versions.ts";
import { sites } from "../support/test-app.ts";
import { loadImages } from "./load-images.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

describe.for(sites)("$site", (site) => {
  test("keeps the room of every logo free, loads every image as it comes into view, draws every icon", async ({
    open,
    sharedPage,
  }) => {
    const { qualityLogos, teaser } = footerAt(site.footer, Date.now());
    const page = await sharedPage(desktop);
    const logos = Promise.withResolvers<void>();
    await page.route(/\/logos\//, (route) => logos.promise.then(() => route.continue()));
    await open(site, desktop);
    const seals = await page.locator("[data-section=quality] img").evaluateAll(sizesOf);
    const payment = await page.locator("[data-section=payment] img").evaluateAll(sizesOf);
    logos.resolve();
    expect(seals).toEqual(qualityLogos.logos.map(({ image }) => [image.width, image.height]));
    expect(payment).toEqual(teaser.groups.flatMap(({ images }) => images).map(() => [106, 70]));

    const images = page.locator("img");
    expect(await images.count()).toBeGreaterThan(qualityLogos.logos.length);
    await loadImages(images);
    await expectIcons(page);
  });
});

async function expectIcons(page: Page) {
  await page.locator("details").evaluateAll((all: HTMLDetailsElement[]) => {
    for (const panel of all) panel.open = true;
  });
  const uses = page.locator("use");
  const addresses = await uses.evaluateAll((all) => [...new Set(all.map((use) => use.getAttribute("href") ?? ""))]);
  const sprites = new Set(addresses.map((address) => address.replace(/#.*/, "")));
  expect(sprites.size).toBe(1);
  const [sprite = ""] = sprites;
  const { status, drawing } = await page.evaluate(async (address) => {
    const answer = await fetch(address);
    return { status: answer.status, drawing: await answer.text() };
  }, sprite);
  expect(status).toBe(200);
  const missing = addresses.filter((address) => !drawing.includes(`<symbol id="${address.replace(/.*#/, "")}"`));
  expect(missing).toEqual([]);
  await expect.poll(() => uses.evaluateAll(emptyDrawings)).toEqual([]);
}

function sizesOf(images: Element[]): number[][] {
  return images.map(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
}

/** Addresses of what is shown but draws nothing. */
function emptyDrawings(uses: Element[]): string[] {
  return uses
    .filter((use): use is SVGUseElement => use instanceof SVGUseElement && use.checkVisibility())
    .filter((use) => use.getBBox().width === 0)
    .map((use) => use.href.baseVal);
}
