import type { Locator, Page } from "playwright";
import { expect } from "playwright/test";
import { wake } from "./open-newsletter.ts";

/** Brings what loads late into view, wakes islands, and waits until every image, island and icon that shows is there. */
export async function loadEverything(page: Page): Promise<void> {
  await loadImages(page.locator("img:visible"));
  for (const island of await page.locator("[data-island]:visible").all()) await wake(island);
  await expectDrawn(page.locator("use:visible"));
}

/** Waits until the sprite of icons has come, and has them all. */
export async function expectDrawn(icons: Locator): Promise<void> {
  await expect.poll(() => icons.evaluateAll(drawnWidths), "widths of icons").not.toContain(0);
}

function drawnWidths(uses: (SVGElement | HTMLElement)[]): number[] {
  return uses.map((use) => (use instanceof SVGUseElement ? use.getBBox().width : 0));
}

/** Brings images into view one after another and waits for each: late ones load only then. */
export async function loadImages(images: Locator): Promise<void> {
  await images.evaluateAll(async (all: HTMLImageElement[]) => {
    for (const image of all) {
      image.scrollIntoView({ block: "center" });
      await image.decode();
    }
  });
}
