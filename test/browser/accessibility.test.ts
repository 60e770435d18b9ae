import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { sites } from "../test-app.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

describe.for(sites)("$site", (site) => {
  test("has no accessibility violation on a phone, with its service lists closed and open", async ({ open }) => {
    const page = await open(site, phone);
    expect(await violations(page)).toEqual([]);
    await openDisclosures(page);
    expect(await violations(page)).toEqual([]);
  });

  test("has no accessibility violation in a large window, with its country switcher closed and open", async ({
    open,
  }) => {
    const page = await open(site, desktop);
    expect(await violations(page)).toEqual([]);
    await openDisclosures(page);
    expect(await violations(page)).toEqual([]);
  });
});

/** Legacy mode only means: no second page to combine the results of frames, of which there are none. */
async function violations(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    .withTags(tags)
    .options({ resultTypes: ["violations"] })
    .setLegacyMode();
  const { violations } = await axe.analyze();
  return violations.map(({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ target }) => target).join(", ")}`);
}

async function openDisclosures(page: Page) {
  await page.locator("summary:visible").evaluateAll((all: HTMLElement[]) => {
    for (const summary of all) summary.click();
  });
}
