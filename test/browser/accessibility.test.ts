import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { sites } from "../support/test-app.ts";
import { anySite } from "./chosen-sites.ts";
import { findViolations } from "./find-violations.ts";
import { test } from "./shop-test.ts";
import { desktop, phone, viewports } from "./viewports.ts";

describe.for(sites)("$site", (site) => {
  test("has no accessibility violation on a phone or in a large window, with everything open", async ({ open }) => {
    const page = await open(site, phone);
    await openDisclosures(page);
    expect(await findViolations(page), "on a phone").toEqual([]);
    await page.setViewportSize(viewports.CLASSIC);
    await openDisclosures(page);
    expect(await findViolations(page), "in a large window").toEqual([]);
  });
});

describe("a site", () => {
  test.for([phone, desktop])(
    "has no accessibility violation before anything is open: %j",
    async (options, { open }) => {
      const page = await open(anySite, options);
      expect(await findViolations(page)).toEqual([]);
    },
  );
});

/** Opens what shows and is closed. */
async function openDisclosures(page: Page) {
  await page.locator("details:not([open]) > summary:visible").evaluateAll((all: HTMLElement[]) => {
    for (const summary of all) summary.click();
  });
}
