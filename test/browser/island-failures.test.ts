import { expect } from "playwright/test";
import { describe, inject, onTestFinished } from "vitest";
import { launchBrowser } from "./launch-browser.ts";
import { test } from "./shop-test.ts";

/** A page of its own, without the watch over its console: the browser itself reports what it can't load. */
async function openUnwatched() {
  const browser = await launchBrowser(inject("engine"), inject("browserPath"));
  onTestFinished(() => browser.close());
  return browser.newPage();
}

describe("an island whose code can't be loaded", () => {
  test("keeps the server's markup, says so in its state, and leaves the page alone", async ({ shop }) => {
    const page = await openUnwatched();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.route(/hydrate-.*\.js$/, (route) => route.abort());
    await page.goto(`${shop.listener}/widgets`);
    const island = page.locator("[data-island]").first();
    const before = await island.innerHTML();
    await island.scrollIntoViewIfNeeded();
    await expect(island).toHaveAttribute("data-island-state", "failed");
    expect(await island.innerHTML()).toBe(before);
    expect(errors).toEqual([]);
  });
});

describe("an island whose component throws", () => {
  test("has the server's markup again", async ({ shop }) => {
    const page = await openUnwatched();
    await page.route("**/widgets", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/&quot;texts&quot;:\{/, "&quot;texts&quot;:null,&quot;old&quot;:{");
      await route.fulfill({ response, body });
    });
    await page.goto(`${shop.listener}/widgets`);
    const island = page.locator("[data-island-props*='\"texts\":null']");
    await expect(island).toHaveCount(1);
    await island.scrollIntoViewIfNeeded();
    await expect(island).toHaveAttribute("data-island-state", /ready|failed/);
    expect(await island.locator("*").count()).toBeGreaterThan(0);
  });
});
