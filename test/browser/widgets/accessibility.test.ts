import { expect } from "playwright/test";
import { widgetDocs } from "../../../client/gallery/widget-docs.ts";
import { findViolations } from "../find-violations.ts";
import { test } from "../shop-test.ts";
import { desktop, viewports } from "../viewports.ts";
import { openExample } from "./open-example.ts";

const examples = '.sf-specimen:has([lang="en"])';

// All widgets at once: axe reads the whole page, whatever part of it is asked for.
test("no example of a widget has an accessibility violation on a small or a large screen", {
  timeout: 180_000,
}, async ({ sharedPage, shop }) => {
  const page = await sharedPage(desktop);
  for (const doc of widgetDocs) {
    for (const { name } of doc.examples) await openExample(page, shop, doc.widget, name);
  }
  for (const viewport of [viewports.MATCH, viewports.CLASSIC]) {
    await page.setViewportSize(viewport);
    expect(await findViolations(page, examples), `${viewport.width} px wide`).toEqual([]);
  }
});
