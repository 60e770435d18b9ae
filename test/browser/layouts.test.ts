import type { Page } from "playwright";
import { describe } from "vitest";
import { anySite, siteWith } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { showHostPage } from "./host-page.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

/** The features that distinguish the layouts. */
const layouts = {
  MATCH: {
    serviceHeadings: "disclosures",
    serviceLists: "collapsed",
    overviewLinks: "listed",
    viewChange: ["desktop"],
    countrySwitcher: "hidden",
    serviceColumns: 1,
  },
  TABLET: {
    serviceHeadings: "links",
    serviceLists: "shown",
    overviewLinks: "listed",
    viewChange: ["desktop"],
    countrySwitcher: "hidden",
    serviceColumns: 2,
  },
  CLASSIC: {
    serviceHeadings: "links",
    serviceLists: "shown",
    overviewLinks: "hidden",
    viewChange: ["mobile"],
    countrySwitcher: "shown",
    serviceColumns: expect.any(Number),
  },
};

const platforms = ["MATCH", "TABLET", "CLASSIC"] as const;

describe("the footer", () => {
  test("chooses the layout by the width of the window", async ({ open }) => {
    const page = await open(anySite, desktop);
    for (const [width, platform] of [
      [320, "MATCH"],
      [767, "MATCH"],
      [768, "TABLET"],
      [1279, "TABLET"],
      [1280, "CLASSIC"],
      [1920, "CLASSIC"],
    ] as const) {
      expect(await layoutAt(page, width), `at ${width} px`).toEqual(layouts[platform]);
      await expect(page.locator("footer[data-fragment=footer]")).toHaveAttribute("data-platform", platform);
    }
  });

  test("shows prominent legal links as large buttons, first of all, at any width, reduced and without script", async ({
    newPage,
    shop,
  }) => {
    const site = siteWith(({ footer }) => footer.legalLinks.filter(({ prominent }) => prominent).length > 1);
    const page = await newPage({ ...desktop, javaScriptEnabled: false });
    await showHostPage(page, shop, { site, include: (footer) => [footer], parameters: { reduced: "true" } });
    const links = page.locator("[data-section=legal] a");
    const count = await page.locator("[data-prominent]").count();
    for (const width of [320, 375, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const shown = await links.evaluateAll(readLinks);
      const [buttons, others] = [shown.slice(0, count), shown.slice(count)];
      for (const { isButton, height, bottom } of buttons) {
        expect(isButton, `at ${width} px`).toBe(true);
        expect(height, `at ${width} px`).toBeGreaterThanOrEqual(44);
        expect(bottom, `at ${width} px`).toBeLessThan(Math.min(...others.map(({ top }) => top)));
      }
      expect(others.map(({ isButton }) => isButton)).not.toContain(true);
    }
  });

  test("prefers the layout that the host page names in data-platform on html, at any width", async ({ open }) => {
    const page = await open(anySite, desktop);
    for (const platform of platforms) {
      await page.evaluate((value) => document.documentElement.setAttribute("data-platform", value), platform);
      for (const width of [375, 1024, 1440]) {
        expect(await layoutAt(page, width), `${platform} at ${width} px`).toEqual(layouts[platform]);
      }
    }
  });
});

describe("the footer on a page of somebody else", () => {
  const site = anySite;
  const include = (footer: string) => [footer];
  const footer = "footer[data-fragment=footer]";

  test.for(["MATCH", "TABLET"] as const)(
    "has the layout that the edge has asked for, until the window gets another width: %s",
    async (platform, { sharedPage, shop }) => {
      const page = await sharedPage(desktop);
      await showHostPage(page, shop, { site, include, parameters: { platform } });
      const shown = page.locator(footer);
      await expect(shown).toHaveAttribute("data-platform", platform);
      expect(await shown.evaluate(readLayout)).toEqual(layouts[platform]);
      await page.setViewportSize({ ...desktop.viewport, height: 500 });
      expect(await shown.evaluate(readLayout)).toEqual(layouts[platform]);
      await page.setViewportSize({ ...desktop.viewport, width: 1300 });
      await expect(shown).toHaveAttribute("data-platform", "CLASSIC");
      expect(await shown.evaluate(readLayout)).toEqual(layouts.CLASSIC);
    },
  );

  test("has the view that the visitor chooses, at any width, unless the page names another", async ({
    newPage,
    shop,
  }) => {
    const page = await newPage(desktop);
    await showHostPage(page, shop, { site, include, parameters: { platform: "TABLET" } });
    const shown = page.waitForEvent("load");
    await page.locator("[data-section=view-changer] button[value=desktop]").click();
    await shown;
    const footerShown = page.locator(`${footer}[data-platform=CLASSIC]`);
    await expect(footerShown).toBeVisible();
    expect(await layoutAt(page, 375)).toEqual(layouts.CLASSIC);
    await page.evaluate(() => document.documentElement.setAttribute("data-platform", "MATCH"));
    expect(await layoutAt(page, 1000)).toEqual(layouts.MATCH);
    await expect(page.locator(footer)).toHaveAttribute("data-platform", "MATCH");
  });
});

/** Runs in the page: reads whether each link has a border of its text's colour, and its position. */
function readLinks(links: Element[]) {
  return links.map((link) => {
    const { borderTopStyle, borderTopColor, color } = getComputedStyle(link);
    const { top, bottom, height } = link.getBoundingClientRect();
    return { isButton: borderTopStyle === "solid" && borderTopColor === color, top, bottom, height };
  });
}

async function layoutAt(page: Page, width: number) {
  await page.setViewportSize({ width, height: 900 });
  return page.locator("footer[data-fragment=footer]").evaluate(readLayout);
}

function readLayout(footer: Element) {
  const all = (selector: string) => [...footer.querySelectorAll<HTMLElement>(selector)];
  /** Returns the common answer of all elements, or their different answers. */
  const oneOf = (selector: string, answer: (element: HTMLElement) => string) => {
    const answers = [...new Set(all(selector).map(answer))];
    return answers.length === 1 ? answers[0] : answers;
  };
  const teaser = "[data-section=teasers] nav";
  return {
    serviceHeadings: oneOf(teaser, (element) => {
      const link = element.querySelector("h3 a")?.checkVisibility() && "links";
      const summary = element.querySelector("summary")?.checkVisibility() && "disclosures";
      return [link, summary].filter(Boolean).join(" and ");
    }),
    serviceLists: oneOf(`${teaser} ul`, (list) => (list.checkVisibility() ? "shown" : "collapsed")),
    overviewLinks: oneOf(`${teaser} li:first-child`, (item) =>
      getComputedStyle(item).display === "none" ? "hidden" : "listed",
    ),
    viewChange: all("[data-section=view-changer] button")
      .filter((button) => button.checkVisibility())
      .map((button) => button.getAttribute("value")),
    countrySwitcher: oneOf("[data-section=country-switcher]", (element) =>
      element.checkVisibility() ? "shown" : "hidden",
    ),
    serviceColumns: new Set(all(teaser).map((element) => element.offsetLeft)).size,
  };
}
