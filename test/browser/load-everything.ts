import type { Locator, Page } from "playwright";
import { expect } from "./expect.ts";
import { wake } from "./open-newsletter.ts";

/** Scrolls late content into view, wakes islands, and waits until every visible image, island and icon has loaded. */
export async function loadEverything(page: Page): Promise<void> {
  await loadImages(page.locator("img:visible"));
  for (const island of await page.locator("[data-island]:visible").all()) await wake(island);
  await expectDrawn(page.locator("html"));
}

/** Waits until the sprite has loaded, and expects it to contain every icon and flag that an element shows. */
export async function expectDrawn(element: Locator): Promise<void> {
  expect(await element.evaluate(findUndrawn)).toEqual([]);
}

/**
 * Finds icons and flags whose cell of the sprite is empty. Runs in the page, so it can't use anything outside itself.
 */
async function findUndrawn(root: SVGElement | HTMLElement): Promise<string[]> {
  const side = 24;
  const canvas = new OffscreenCanvas(side, side).getContext("2d", { willReadFrequently: true });
  const sprite = new Image();
  // A mask is loaded in the same way.
  sprite.crossOrigin = "anonymous";
  const undrawn: string[] = [];
  for (const element of root.querySelectorAll<HTMLElement>("[data-icon]")) {
    if (!element.checkVisibility()) continue;
    const style = getComputedStyle(element, "::before");
    const isFlag = style.maskImage === "none";
    const image = isFlag ? style.backgroundImage : style.maskImage;
    const place = isFlag ? style.backgroundPosition : style.maskPosition;
    const [, address = "about:blank"] = /^url\("(.+)"\)$/.exec(image) ?? [];
    if (sprite.src !== address) {
      sprite.src = address;
      await sprite.decode();
    }
    const [left = 0, top = 0] = place.split(" ").map((length) => Number.parseFloat(length));
    const scale = side / Number.parseFloat(style.fontSize);
    canvas?.clearRect(0, 0, side, side);
    canvas?.drawImage(sprite, left * scale, top * scale);
    const isEmpty = canvas?.getImageData(0, 0, side, side).data.every((value) => value === 0) ?? true;
    if (style.content !== '""' || isEmpty) undrawn.push(`${element.dataset.icon} ${element.textContent}`);
  }
  return undrawn;
}

/** Scrolls images into view one after another, and waits for each, because lazy ones load only then. */
export async function loadImages(images: Locator): Promise<void> {
  await images.evaluateAll(async (all: HTMLImageElement[]) => {
    for (const image of all) {
      image.scrollIntoView({ block: "center" });
      await image.decode();
    }
  });
}
