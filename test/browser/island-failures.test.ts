import { expect } from "playwright/test";
import { describe } from "vitest";
import { anySite } from "./chosen-sites.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

describe("an island whose code can't be loaded", () => {
  test("keeps the server's markup, says so in its state, and leaves the page alone", async ({
    shop,
    unwatchedPage,
  }) => {
    const page = await unwatchedPage(desktop);
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.route(/hydrate-.*\.js$/, (route) => route.abort());
    await page.goto(`${shop.listener}/widgets/button`);
    const island = page.locator("[data-island]").first();
    const before = await island.innerHTML();
    await island.scrollIntoViewIfNeeded();
    await expect(island).toHaveAttribute("data-island-state", "failed");
    expect(await island.innerHTML()).toBe(before);
    expect(errors).toEqual([]);
  });
});

describe("an island whose component throws", () => {
  test("has the server's markup again", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(desktop);
    const address = `${shop.listener}/widgets/password-strength`;
    await page.route(address, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/&quot;texts&quot;:\{/, "&quot;texts&quot;:null,&quot;old&quot;:{");
      await route.fulfill({ response, body });
    });
    await page.goto(address);
    const island = page.locator("[data-island-props*='\"texts\":null']");
    await expect(island).toHaveCount(1);
    const before = await island.innerHTML();
    await island.scrollIntoViewIfNeeded();
    await expect(island).toHaveAttribute("data-island-state", "failed");
    expect(await island.innerHTML()).toBe(before);
  });

  test("keeps what was typed, and the focus", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(desktop);
    await page.route(/\/assets\/newsletter-.*\.json$/, (route) => route.fulfill({ json: {} }));
    await page.goto(shop.address(anySite));
    const island = page.locator("[data-island=newsletter]");
    await island.locator("[name=email]").fill("anna@example.com");
    await expect(island).toHaveAttribute("data-island-state", "failed");
    await expect(island.locator("[name=email]")).toHaveValue("anna@example.com");
    await expect(island.locator("[name=email]")).toBeFocused();
  });
});
