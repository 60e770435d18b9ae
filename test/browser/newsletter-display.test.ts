import { describe } from "vitest";
import { plainSite, siteWith } from "./chosen-sites.ts";
import { enlargeText } from "./enlarge-text.ts";
import { expect } from "./expect.ts";
import { findCutLines } from "./find-cut-lines.ts";
import { findOverflows } from "./find-overflows.ts";
import { loadImages } from "./load-everything.ts";
import { openNewsletter } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

const part = "[data-section=newsletter]";
const forcedColors = { ...desktop, forcedColors: "active" } as const;
const withoutScript = { ...phone, javaScriptEnabled: false };

/** The sites with the shortest and the longest form. */
const shortestAndLongest = [plainSite, siteWith(({ newsletter }) => newsletter.legals)];

describe.for(shortestAndLongest)("the newsletter of $site", (site) => {
  test("shows all fields, the whole legal text and the browser's own checks without script", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(withoutScript);
    await page.goto(shop.address(site));
    const block = page.locator(part);
    for (const name of ["email", "salutation", "firstName", "lastName"]) {
      await expect(block.locator(`[name=${name}]`)).toBeVisible();
    }
    const links = block.locator(".sf-newsletter-legal a, .sf-choice a");
    const fonts = await links.evaluateAll((all) =>
      all.map((link) => [link, link.parentElement ?? link].map((element) => getComputedStyle(element).font)),
    );
    expect(fonts.length).toBeGreaterThan(0);
    for (const [font, around] of fonts) expect(font, "links look like the text around them").toBe(around);
    await block.locator(".sf-newsletter-legal a").last().scrollIntoViewIfNeeded();
    await expect(block.locator(".sf-newsletter-legal a").last()).toBeInViewport();
    await block.locator("[type=submit]").tap();
    await expect(page).toHaveURL(shop.address(site));
    expect(await block.locator("form").evaluate((form: HTMLFormElement) => form.checkValidity())).toBe(false);
  });
});

describe("the newsletter", () => {
  const site = siteWith(({ newsletter }) => newsletter.salutation === "required");

  test("fits when text is twice as large", async ({ newPage, shop }) => {
    const page = await newPage({ viewport: { width: 320, height: 640 } });
    await enlargeText(page);
    const block = await openNewsletter(page, shop, site);
    await block.locator("[type=submit]").click();
    await expect(block.locator("[aria-invalid=true]")).toHaveCount(4);
    expect(await findCutLines(block.locator(".sf-expandable-frame"))).toEqual([]);
    for (const width of [320, 800, 1280]) {
      await page.setViewportSize({ width, height: 640 });
      expect(await page.evaluate(findOverflows), `at ${width} px`).toEqual([]);
    }
  });

  test("keeps borders in forced colours, and a message clear of the focus", async ({ sharedPage, shop }) => {
    const block = await openNewsletter(await sharedPage(forcedColors), shop, site);
    await block.locator("[type=submit]").click();
    const email = block.locator("[name=email]");
    await expect(email).toBeFocused();
    const field = await email.boundingBox();
    const message = await block.locator(".sf-field-error").first().boundingBox();
    // The mark is 3 px wide and begins 2 px outside the field.
    expect(message?.y).toBeGreaterThan((field?.y ?? 0) + (field?.height ?? 0) + 5);

    const borders = await block.locator(".sf-input, .sf-button").evaluateAll((all) =>
      all.map((element) => {
        const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(element);
        return borderTopStyle === "solid" && borderTopWidth !== "0px" && borderTopColor !== backgroundColor;
      }),
    );
    expect(borders).toEqual(borders.map(() => true));
    expect(borders.length).toBeGreaterThan(4);
  });

  test.for([
    [1024, "400x300"],
    [767, "273x273"],
    [766, undefined],
  ] as const)("loads at %i px the picture for it: %s", async ([width, picture], { newPage, shop }) => {
    const page = await newPage({ viewport: { width, height: 700 } });
    const loaded: string[] = [];
    page.on("request", (request) => {
      const [, name] = request.url().match(/\/newslettersubscriptionform\/(\d+x\d+)\.svg\?v=\w+$/) ?? [];
      if (name) loaded.push(name);
    });
    await page.goto(shop.address(site));
    const image = page.locator(`${part} picture img`);
    await page.locator(part).scrollIntoViewIfNeeded();
    await expect(image).toBeVisible({ visible: picture !== undefined });
    if (picture) {
      await image.evaluate((shown: HTMLImageElement) => shown.decode());
      const size = await image.boundingBox();
      expect(`${size?.width}x${size?.height}`).toBe(picture);
    }
    await loadImages(page.locator("[data-section=quality] img"));
    expect(loaded).toEqual(picture ? [picture] : []);
    await expect(page.locator(".sf-banderole p")).toBeVisible();
  });
});
