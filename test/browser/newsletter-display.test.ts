import type { Locator, Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import type { Site } from "../../server/sites/countries.ts";
import { sites } from "../support/test-app.ts";
import { newsletterKinds, siteWith } from "./chosen-sites.ts";
import { findCutLines } from "./find-cut-lines.ts";
import { findViolations } from "./find-violations.ts";
import { loadImages } from "./load-everything.ts";
import { answerSignUps, fillInRequired, openNewsletter } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

const part = "[data-section=newsletter]";
const narrow = { viewport: { width: 320, height: 640 } };
const forcedColors = { ...desktop, forcedColors: "active" } as const;
const withoutScript = { ...phone, javaScriptEnabled: false };

describe.for(sites)("the newsletter of $site", (site) => {
  // How it is at first, test/browser/accessibility.test.ts looks at.
  test("fits into 320 px and is accessible with everything shown, and when somebody has signed up", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(narrow);
    await answerSignUps(page);
    const block = await openNewsletter(page, shop, site);
    expect(await findCutLines(block.locator(".sf-expandable-frame"))).toEqual([]);
    await makeMistakes(block);
    expect(await sticksOut(page)).toEqual([]);
    expect(await findViolations(page, part)).toEqual([]);
    await signUp(block, site);
    expect(await sticksOut(page), "signed up").toEqual([]);
    expect(await findViolations(page, part), "signed up").toEqual([]);
  });
});

describe.for(newsletterKinds)("the newsletter of $site", (site) => {
  test("has links in its texts that are as large and bold as the text around them", async ({ sharedPage, shop }) => {
    const block = await openNewsletter(await sharedPage(phone), shop, site);
    const links = block.locator(".sf-newsletter-legal a, .sf-choice a");
    const fonts = await links.evaluateAll((all) =>
      all.map((link) => [link, link.parentElement ?? link].map((element) => getComputedStyle(element).font)),
    );
    expect(fonts.length).toBeGreaterThan(0);
    for (const [font, around] of fonts) expect(font).toBe(around);
  });

  test("shows all fields, the whole legal text and the browser's own checks without script", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(withoutScript);
    await page.goto(shop.address(site));
    for (const name of ["email", "salutation", "firstName", "lastName"]) {
      await expect(page.locator(`${part} [name=${name}]`)).toBeVisible();
    }
    await page.locator(`${part} .sf-newsletter-legal a`).last().scrollIntoViewIfNeeded();
    await expect(page.locator(`${part} .sf-newsletter-legal a`).last()).toBeInViewport();
    await page.locator(`${part} [type=submit]`).tap();
    await expect(page).toHaveURL(shop.address(site));
    expect(await page.locator(`${part} form`).evaluate((form: HTMLFormElement) => form.checkValidity())).toBe(false);
  });
});

describe("the newsletter", () => {
  const site = siteWith(({ newsletter }) => newsletter.salutation === "required");

  test("fits when text is twice as large", async ({ newPage, shop }) => {
    const page = await newPage(narrow);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
    await makeMistakes(await openNewsletter(page, shop, site));
    for (const width of [320, 800, 1280]) {
      await page.setViewportSize({ width, height: 640 });
      expect(await sticksOut(page), `at ${width} px`).toEqual([]);
    }
  });

  test("keeps a message clear of the mark of what has the focus", async ({ sharedPage, shop }) => {
    const block = await openNewsletter(await sharedPage(phone), shop, site);
    await block.locator("[type=submit]").click();
    const email = block.locator("[name=email]");
    await expect(email).toBeFocused();
    const field = await email.boundingBox();
    const message = await block.locator(".sf-field-error").first().boundingBox();
    // The mark is 3 px wide, 2 px outside of the field.
    expect(message?.y).toBeGreaterThan((field?.y ?? 0) + (field?.height ?? 0) + 5);
  });

  test("keeps the borders of its fields and buttons in forced colours", async ({ sharedPage, shop }) => {
    const page = await sharedPage(forcedColors);
    await makeMistakes(await openNewsletter(page, shop, site));
    const borders = await page.locator(`${part} :is(.sf-input, .sf-button)`).evaluateAll((all) =>
      all.map((element) => {
        const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(element);
        return borderTopStyle === "solid" && borderTopWidth !== "0px" && borderTopColor !== backgroundColor;
      }),
    );
    expect(borders).toEqual(borders.map(() => true));
    expect(borders.length).toBeGreaterThan(4);
  });

  test.for([
    [1280, "400x300"],
    [1024, "400x300"],
    [1023, "273x273"],
    [767, "273x273"],
    [766, undefined],
    [320, undefined],
  ] as const)("loads at %i px the picture for it: %s", async ([width, picture], { newPage, shop }) => {
    const page = await newPage({ viewport: { width, height: 700 } });
    const loaded: string[] = [];
    page.on("request", (request) => {
      const [, name] = request.url().match(/\/newslettersubscriptionform\/(\d+x\d+)\.svg$/) ?? [];
      if (name) loaded.push(name);
    });
    const block = await openNewsletter(page, shop, site);
    await expect(block.locator("picture img")).toBeVisible({ visible: picture !== undefined });
    if (picture) await block.locator("picture img").evaluate((image: HTMLImageElement) => image.decode());
    await loadImages(page.locator("[data-section=quality] img"));
    expect(loaded).toEqual(picture ? [picture] : []);
    await expect(block.locator(".sf-banderole-strip")).toBeVisible();
    if (picture) {
      const size = await block.locator("picture img").boundingBox();
      expect(`${size?.width}x${size?.height}`).toBe(picture);
    }
  });
});

async function makeMistakes(block: Locator) {
  await block.locator("[name=firstName], [name=lastName]").evaluateAll((all: HTMLInputElement[]) => {
    for (const input of all) input.value = "www.example.com";
  });
  await block.locator("[type=submit]").click();
  await expect(block.locator("[aria-invalid=true]").first()).toBeVisible();
  for (const summary of await block.locator("summary").all()) await summary.click();
}

async function signUp(block: Locator, site: Site) {
  await fillInRequired(block, site);
  for (const name of ["firstName", "lastName"]) await block.locator(`[name=${name}]`).fill("Anna");
  await block.locator("[type=submit]").click();
  await expect(block.locator("form")).toBeHidden();
}

function sticksOut(page: Page): Promise<string[]> {
  return page.locator(part).evaluate((block) =>
    [...block.querySelectorAll("*:not(.sf-visually-hidden, .sf-visually-hidden *)")]
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return (
          element.checkVisibility() && width > 0 && (left < -1 || right > document.documentElement.clientWidth + 1)
        );
      })
      .map(({ className, localName }) => `${localName}.${className}`),
  );
}
