import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { sites } from "../test-app.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

const path = "/?campaign=autumn";
const phoneWithoutScript = { ...phone, javaScriptEnabled: false };

describe.for(sites)("$site", (site) => {
  const { toDesktop, toMobile } = site.footer.viewChanger;

  test("changes a phone to the desktop view and back, on the same page, without JavaScript", async ({ open, shop }) => {
    const text = shop.texts(site);
    const page = await open(site, phoneWithoutScript, path);
    await expect(buttons(page)).toHaveText(text(toDesktop));

    await buttons(page).tap();
    await expect(page.locator("html")).toHaveAttribute("data-platform", "CLASSIC");
    await expect(page).toHaveURL(shop.address(site, path));
    await expect(buttons(page)).toHaveText(text(toMobile));
    expect(await layoutWidth(page)).toBe(1280);

    await buttons(page).tap();
    await expect(page.locator("html")).toHaveAttribute("data-platform", "MATCH");
    await expect(page).toHaveURL(shop.address(site, path));
    await expect(buttons(page)).toHaveText(text(toDesktop));
    expect(await layoutWidth(page)).toBe(phone.viewport.width);
  });

  test("changes a large window to the mobile view and back, on the same page, by keyboard", async ({ open, shop }) => {
    const text = shop.texts(site);
    const page = await open(site, desktop, path);
    await expect(buttons(page)).toHaveText(text(toMobile));

    await buttons(page).press("Enter");
    await expect(page.locator("html")).toHaveAttribute("data-platform", "MATCH");
    await expect(page).toHaveURL(shop.address(site, path));
    await expect(buttons(page)).toHaveText(text(toDesktop));

    await buttons(page).press("Space");
    await expect(page.locator("html")).toHaveAttribute("data-platform", "CLASSIC");
    await expect(page).toHaveURL(shop.address(site, path));
    await expect(buttons(page)).toHaveText(text(toMobile));
  });

  test("changes a phone to the desktop view with JavaScript, too", async ({ open, shop }) => {
    const page = await open(site, phone, path);
    await buttons(page).tap();
    await expect(buttons(page)).toHaveText(shop.texts(site)(toMobile));
    await expect(page).toHaveURL(shop.address(site, path));
  });
});

/** The buttons that the layout shows. */
function buttons(page: Page) {
  return page.locator("[data-section=view-changer] button").filter({ visible: true });
}

function layoutWidth(page: Page): Promise<number> {
  return page.locator("html").evaluate((html) => html.clientWidth);
}
