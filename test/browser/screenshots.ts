/**
 * Writes a picture of every site's page in every layout to test/browser/screenshots/, to look at:
 *
 *   node build.mjs && tsx test/browser/screenshots.ts
 */
import { join } from "node:path";
import { closeTestStores } from "../test-store.ts";
import { findBrowser } from "./find-browser.ts";
import { launchBrowser } from "./launch-browser.ts";
import { startShop } from "./start-shop.ts";

const widths = [375, 768, 1280, 1920];
const folder = join(import.meta.dirname, "screenshots");

const shop = await startShop();
const browser = await launchBrowser("chromium", findBrowser("chromium"));
try {
  const page = await browser.newPage();
  for (const site of shop.sites) {
    await page.goto(shop.address(site));
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      for (const image of await page.locator("img:visible").all()) {
        await image.scrollIntoViewIfNeeded();
        await image.evaluate((element: HTMLImageElement) => element.decode());
      }
      const path = join(folder, `${site.site}-${width}.png`);
      await page.screenshot({ path, fullPage: true });
      console.log(path);
    }
  }
} finally {
  await browser.close();
  await shop.close();
  await closeTestStores();
}
