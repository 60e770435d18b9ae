import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { plainSite } from "./chosen-sites.ts";
import { openNewsletter, readyBlock } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

const extra = ["salutation", "firstName", "lastName"];

describe("the form", () => {
  const site = plainSite;

  test("shows its other fields once somebody cares for the first, and keeps them", async ({ sharedPage, shop }) => {
    const block = await openNewsletter(await sharedPage(phone), shop, site);
    for (const name of extra) await expect(block.locator(`[name=${name}]`)).toBeHidden();
    await block.locator("[name=email]").tap();
    for (const name of extra) await expect(block.locator(`[name=${name}]`)).toBeVisible();
    await block.locator("[name=email]").blur();
    for (const name of extra) await expect(block.locator(`[name=${name}]`)).toBeVisible();
  });

  test("has its legal text 60 px high, until it is expanded", async ({ sharedPage, shop }) => {
    const block = await openNewsletter(await sharedPage(phone), shop, site);
    const legal = block.locator(".sf-expandable-frame");
    expect((await legal.boundingBox())?.height).toBe(60);
    await block.locator(".sf-expandable-control").tap();
    expect((await legal.boundingBox())?.height).toBeGreaterThan(200);
  });
});

describe("before its script comes, the form", () => {
  const site = plainSite;

  test("shows its other fields to whoever types, and keeps what was typed, the focus and the room", async ({
    newPage,
    shop,
  }) => {
    const page = await newPage(desktop);
    const script = await holdBack(page);
    await page.goto(shop.address(site), { waitUntil: "commit" });
    const block = page.locator("[data-island=newsletter]");
    await block.locator("[name=email]").waitFor();
    await block.scrollIntoViewIfNeeded();
    await expect(block.locator("[name=firstName]")).toBeHidden();
    await block.locator("[name=email]").pressSequentially("anna@example.com");
    await expect(block.locator("[name=firstName]")).toBeVisible();
    await block.locator("[name=firstName]").fill("Anna");
    await block.locator("[name=salutation]").selectOption("MRS");
    await block.locator(".sf-expandable-summary").click();
    await block.locator("[value=DNE]").check();
    const before = await block.boundingBox();
    script.release();
    await readyBlock(page);
    await expect(block.locator("[value=DNE]")).toBeFocused();
    await expect(block.locator("[name=email]")).toHaveValue("anna@example.com");
    await expect(block.locator("[name=firstName]")).toHaveValue("Anna");
    await expect(block.locator("[name=salutation]")).toHaveValue("MRS");
    await expect(block.locator("[value=DNE]")).toBeChecked();
    expect((await block.boundingBox())?.height).toBe(before?.height);
  });

  test("is as high as with it", async ({ newPage, shop }) => {
    for (const options of [phone, desktop]) {
      const page = await newPage(options);
      const script = await holdBack(page);
      await page.goto(shop.address(site), { waitUntil: "commit" });
      const block = page.locator("[data-island=newsletter]");
      await block.locator("[name=email]").waitFor();
      await block.scrollIntoViewIfNeeded();
      const before = await block.boundingBox();
      script.release();
      await readyBlock(page);
      await expect(block.locator(".sf-expandable-control")).toBeVisible();
      expect((await block.boundingBox())?.height).toBe(before?.height);
    }
  });

  test("moves nothing when it comes", async ({ newPage, shop }) => {
    const page = await newPage(phone);
    const script = await holdBack(page);
    await page.goto(shop.address(site), { waitUntil: "commit" });
    const block = page.locator("[data-island=newsletter]");
    await block.locator("[name=email]").waitFor();
    await block.scrollIntoViewIfNeeded();
    await page.evaluate(() => {
      Object.assign(window, { moved: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          Reflect.set(window, "moved", Reflect.get(window, "moved") + Reflect.get(entry, "value"));
        }
      }).observe({ type: "layout-shift" });
    });
    script.release();
    await readyBlock(page);
    await expect(block.locator(".sf-expandable-control")).toBeVisible();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await page.evaluate(() => Reflect.get(window, "moved"))).toBe(0);
  });

  test("survives a browser that has translated it before and translates it after", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const block = await openNewsletter(page, shop, site);
    await page.evaluate(wrapTexts);
    await block.locator("[type=submit]").click();
    await expect(block.locator("[name=email]")).toHaveAttribute("aria-invalid", "true");
    await page.evaluate(wrapTexts);
    await block.locator("[name=email]").fill("anna@gmial.com");
    await block.locator("[name=firstName]").focus();
    await expect(block.getByText("anna@gmail.com")).toBeVisible();
    await page.evaluate(wrapTexts);
    await page.route("**/newsletter-subscribers", (route) =>
      route.fulfill({ status: 202, json: { status: "ACCEPTED" } }),
    );
    await block.locator("[type=submit]").click();
    await expect(block.locator("[role=status]")).toContainText("anna@gmial.com");
  });
});

/** Lets the page's scripts wait. Deferred ones hold nothing else up. */
async function holdBack(page: Page) {
  const released = Promise.withResolvers<void>();
  await page.route(/\/assets\/[^/]+\.js$/, (route) => released.promise.then(() => route.continue()));
  return { release: released.resolve };
}

/** What a browser's translation does: https://github.com/facebook/react/issues/11538 */
function wrapTexts() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: Node[] = [];
  while (texts.nextNode()) found.push(texts.currentNode);
  for (const text of found) {
    if (!text.textContent?.trim() || text.parentElement?.closest("script, style, option, font")) continue;
    const font = document.createElement("font");
    text.parentNode?.replaceChild(font, text);
    font.append(document.createTextNode(text.textContent));
  }
}
