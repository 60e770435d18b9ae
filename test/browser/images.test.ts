import { expect } from "playwright/test";
import { describe } from "vitest";
import { footerAt } from "../../server/sites/footer-versions.ts";
import { sites } from "../support/test-app.ts";
import { expectDrawn, loadImages } from "./load-everything.ts";
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
    await page.locator("details").evaluateAll((all: HTMLDetailsElement[]) => {
      for (const panel of all) panel.open = true;
    });
    await expectDrawn(page.locator("use:visible"));
  });
});

function sizesOf(images: Element[]): number[][] {
  return images.map(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
}
