import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { anySite } from "./chosen-sites.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

/** What tells the layouts apart. */
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
    overviewLinks: "hidden",
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
    expect(await layoutAt(page, 320)).toEqual(layouts.MATCH);
    expect(await layoutAt(page, 767)).toEqual(layouts.MATCH);
    expect(await layoutAt(page, 768)).toEqual(layouts.TABLET);
    expect(await layoutAt(page, 1279)).toEqual(layouts.TABLET);
    expect(await layoutAt(page, 1280)).toEqual(layouts.CLASSIC);
    expect(await layoutAt(page, 1920)).toEqual(layouts.CLASSIC);
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

async function layoutAt(page: Page, width: number) {
  await page.setViewportSize({ width, height: 900 });
  return page.locator("footer[data-fragment=footer]").evaluate(readLayout);
}

function readLayout(footer: Element) {
  const all = (selector: string) => [...footer.querySelectorAll<HTMLElement>(selector)];
  /** The one answer of all elements, or the different ones. */
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
