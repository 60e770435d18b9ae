import type { Page } from "playwright";
import { expect } from "playwright/test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe } from "vitest";
import { NewsletterFragment } from "../../client/features/newsletter/NewsletterFragment.tsx";
import type { NewsletterAnswer } from "../../client/rules/newsletter-block.ts";
import { createNewsletterBlocks } from "../../server/features/newsletter/newsletter-fragment.tsx";
import type { Site } from "../../server/sites/countries.ts";
import { context, texts } from "../support/test-app.ts";
import { plainSite } from "./chosen-sites.ts";
import { showHostPage } from "./host-page.ts";
import { answerSignUps, readyBlock } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import type { Shop } from "./start-shop.ts";
import { desktop } from "./viewports.ts";

describe("the block of a page that answers", () => {
  const site = plainSite;
  const text = texts.translator(site.locale, "newsletter");

  test("says that a link is no longer valid, until the address is in use", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    await showAnswer(page, shop, site, { status: "invalidLink" });
    const block = await readyBlock(page);
    await expect(block.getByText(text("bar.invalidLink"))).toBeVisible();
    await block.locator("[name=email]").focus();
    await expect(block.getByText(text("bar.invalidLink"))).toHaveCount(0);
  });

  test("tells analytics of a form that was sent without script where it stood, once", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await page.goto(shop.address(site));
    const form = page.locator("form[action='/newsletter']");
    await form.locator("[name=email]").fill("native@example.com");
    await form.evaluate((element: HTMLFormElement) => element.submit());
    await page.waitForURL(shop.address(site, "/subscribenewsletter"));
    await readyBlock(page);
    const origin = "NEWSLETTER:footer";
    expect(await dataLayer(page)).toMatchObject([{ event: "sign_up", origin, emitter: "newsletter service" }]);
    await page.reload();
    await readyBlock(page);
    expect(await dataLayer(page)).toEqual([]);
  });

  test("keeps the values when the sign-up isn't possible now, and can be sent again", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    await answerSignUps(page);
    const email = "anna@example.com";
    await showAnswer(page, shop, site, {
      status: "technicalError",
      values: { email, firstName: "Anna", consents: ["DNE"] },
    });
    const block = await readyBlock(page);
    await expect(block.getByRole("alert")).toContainText(text("bar.technical"));
    await block.locator("[type=submit]").click();
    await expect(block.getByRole("status")).toContainText(email);
  });
});

function dataLayer(page: Page): Promise<unknown[]> {
  return page.evaluate(() => window.dataLayer ?? []);
}

/** Shows the block as a page does that answers a form or a link. */
async function showAnswer(page: Page, shop: Shop, site: Site, answer: NewsletterAnswer) {
  const block = createNewsletterBlocks(context).islands(
    site,
    { origin: "NEWSLETTER", originAddition: "", level: 2, answer },
    "answer",
  );
  const files = context.assets.filesOf({ styles: ["newsletter.css"], scripts: ["boot.js"] });
  const fragment = createElement(NewsletterFragment, { site: site.site, locale: site.locale, assets: files, block });
  await showHostPage(page, shop, { site, include: () => [renderToStaticMarkup(fragment)] });
}
