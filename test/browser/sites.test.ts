import type { Page } from "playwright";
import { describe } from "vitest";
import { footerAt } from "../../server/sites/footer-versions.ts";
import { sites } from "../support/test-app.ts";
import { answerRequests } from "./answer-requests.ts";
import { enlargeText } from "./enlarge-text.ts";
import { expect } from "./expect.ts";
import { findOverflows } from "./find-overflows.ts";
import { findViolations } from "./find-violations.ts";
import { expectDrawn, loadImages } from "./load-everything.ts";
import { test } from "./shop-test.ts";
import { desktop, viewports } from "./viewports.ts";

const [firstSite] = sites;
const widths = [320, 375, 768, 1280, 1920];

describe.for(sites)("the home page of $site", (site) => {
  test("loads its images in their room, draws its icons, fits every window and is accessible", async ({
    sharedPage,
    shop,
  }) => {
    const { qualityLogos, teaser } = footerAt(site.footer, Date.now());
    const page = await sharedPage(desktop);
    const logos = Promise.withResolvers<void>();
    await answerRequests(page, "*/logos/*", (request) => logos.promise.then(request.continue));
    await page.goto(shop.address(site));
    const seals = await page.locator("[data-section=quality] img").evaluateAll(sizesOf);
    const payment = await page.locator("[data-section=payment] img").evaluateAll(sizesOf);
    logos.resolve();
    expect(seals).toEqual(qualityLogos.logos.map(({ image }) => [image.width, image.height]));
    expect(payment).toEqual(teaser.groups.flatMap(({ images }) => images).map(() => [106, 70]));
    await loadImages(page.locator("img"));

    expect(await findOverflowsAt(page, widths)).toEqual([]);
    for (const viewport of [viewports.CLASSIC, viewports.MATCH]) {
      await page.setViewportSize(viewport);
      await expectDrawn(page.locator("html"));
    }
    expect(await findViolations(page, undefined, site === firstSite), "colours are those of any site").toEqual([]);

    // The spacing of WCAG 1.4.12.
    await page.evaluate(() => {
      const spacing = new CSSStyleSheet();
      spacing.replaceSync(
        "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }",
      );
      document.adoptedStyleSheets.push(spacing);
    });
    expect(await findOverflowsAt(page, [320, 1280]), "with spaced text").toEqual([]);
    await page.goto(shop.address(site, "/login"));
    expect(await findOverflowsAt(page, [320]), "the login").toEqual([]);
  });
});

test("no home page scrolls sideways when text is twice as large", async ({ newPage, shop }) => {
  const page = await newPage(desktop);
  await enlargeText(page);
  const found: string[] = [];
  for (const site of sites) {
    await page.goto(shop.address(site));
    await expect(page.locator("html")).toHaveCSS("font-size", "32px");
    found.push(...(await findOverflowsAt(page, [320, 1280])).map((overflow) => `${site.site} ${overflow}`));
  }
  expect(found).toEqual([]);
});

/** Finds elements that reach beyond windows, after opening everything that opens in place. */
async function findOverflowsAt(page: Page, windows: number[]): Promise<string[]> {
  const found: string[] = [];
  for (const width of windows) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await page.evaluate(findOverflows)).map((overflow) => `at ${width} px: ${overflow}`));
  }
  return found;
}

function sizesOf(images: Element[]): number[][] {
  return images.map(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
}
