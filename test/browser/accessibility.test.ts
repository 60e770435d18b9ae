import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { sites } from "../support/test-app.ts";
import { findViolations } from "./find-violations.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

describe.for(sites)("$site", (site) => {
  test("has no accessibility violation on a phone, with its service lists closed and open", async ({ open }) => {
    const page = await open(site, phone);
    expect(await findViolations(page)).toEqual([]);
    await openDisclosures(page);
    expect(await findViolations(page)).toEqual([]);
  });

  test("has no accessibility violation in a large window, with its country switcher closed and open", async ({
    open,
  }) => {
    const page = await open(site, desktop);
    expect(await findViolations(page)).toEqual([]);
    await openDisclosures(page);
    expect(await findViolations(page)).toEqual([]);
  });
});

async function openDisclosures(page: Page) {
  await page.locator("summary:visible").evaluateAll((all: HTMLElement[]) => {
    for (const summary of all) summary.click();
  });
}
