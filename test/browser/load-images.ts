import type { Locator } from "playwright";
import { expect } from "playwright/test";

/** Brings images into view one after another and waits for each: late ones load only then. */
export async function loadImages(images: Locator): Promise<void> {
  for (const image of await images.all()) {
    await image.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await expect(image).not.toHaveJSProperty("naturalWidth", 0);
  }
}
