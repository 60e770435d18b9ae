import type { Page } from "playwright";
import { describe } from "vitest";
import { texts } from "../support/test-app.ts";
import { plainSite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { readyBlock } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

describe("the block of a page that answers", () => {
  const site = plainSite;
  const text = texts.translator(site.locale, "newsletter");

  test("says that a link is no longer valid, until the address is in use", async ({ unwatchedPage, shop }) => {
    const page = await unwatchedPage(desktop);
    await page.goto(shop.address(site, "/newsletter/confirm?token=unknown"));
    const block = await readyBlock(page);
    await expect(block.getByText(text("bar.invalidLink"))).toBeVisible();
    await block.locator("[name=email]").focus();
    await expect(block.getByText(text("bar.invalidLink"))).toHaveCount(0);
  });

  test("tells analytics of a form that was sent without script where it stood, once", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const earlier = { event: "page_view" };
    await page.addInitScript((event) => {
      window.dataLayer = [event];
    }, earlier);
    await page.goto(shop.address(site));
    const form = page.locator("form[action='/newsletter']");
    await form.locator("[name=email]").fill("native@example.com");
    await form.evaluate((element: HTMLFormElement) => element.submit());
    await page.waitForURL(shop.address(site, "/subscribenewsletter"));
    const block = await readyBlock(page);
    const origin = "NEWSLETTER:footer";
    const signUp = { event: "sign_up", origin, emitter: "newsletter service" };
    expect(await dataLayer(page)).toMatchObject([earlier, signUp]);
    await expect(block.locator(":focus"), "nothing takes the focus").toHaveCount(0);
    await page.reload();
    await readyBlock(page);
    expect(await dataLayer(page)).toEqual([earlier]);
  });
});

function dataLayer(page: Page): Promise<unknown> {
  return page.evaluate(() => window.dataLayer);
}
