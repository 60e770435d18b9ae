/**
 * Writes pictures of every site's page in every layout, and of every widget in the gallery, to
 * test/browser/screenshots/, to look at:
 *
 *   node build.mjs && tsx test/browser/screenshots.ts
 */
import { join } from "node:path";
import type { Page } from "playwright";
import { widgetDocs } from "../../client/gallery/widget-docs.ts";
import { findBrowser } from "./find-browser.ts";
import { launchBrowser } from "./launch-browser.ts";
import { loadEverything } from "./load-everything.ts";
import { startShop } from "./start-shop.ts";

const widths = [375, 768, 1280, 1920];
const folder = join(import.meta.dirname, "screenshots");

const shop = await startShop();
const browser = await launchBrowser(findBrowser());
try {
  const page = await browser.newPage();
  for (const site of shop.sites) await photograph(page, shop.address(site), "body", () => site.site);
  await photograph(page, `${shop.listener}/widgets`, "body", () => "widgets");
  for (const { widget } of widgetDocs) {
    await photograph(page, `${shop.listener}/widgets/${widget}`, "body", () => `widget-${widget}`);
  }
} finally {
  await browser.close();
  await shop.close();
}

/** Takes a picture of each part of a page in every width, when everything in it has loaded and is alive. */
async function photograph(page: Page, address: string, parts: string, name: (id: string) => string) {
  await page.goto(address);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await loadEverything(page);
    for (const part of await page.locator(parts).all()) {
      const path = join(folder, `${name((await part.getAttribute("id")) ?? "")}-${width}.png`);
      await part.screenshot({ path });
      console.log(path);
    }
  }
}
