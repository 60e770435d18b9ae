import { expect } from "playwright/test";
import { widgetDocs } from "../../../client/gallery/widget-docs.ts";
import { findViolations } from "../find-violations.ts";
import { test } from "../shop-test.ts";
import { desktop, viewports } from "../viewports.ts";
import { openExample } from "./open-example.ts";

const examples = '.sf-specimen:has([lang="en"])';

test.for(widgetDocs)(
  "no example of the $widget has an accessibility violation on a small or a large screen",
  { timeout: 180_000 },
  async (doc, { sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    for (const { name } of doc.examples) await openExample(page, shop, doc.widget, name);
    for (const viewport of [viewports.MATCH, viewports.CLASSIC]) {
      await page.setViewportSize(viewport);
      const violations = await findViolations(page, `[id="${doc.widget}"] ${examples}`);
      expect(violations, `${viewport.width} px wide`).toEqual([]);
    }
  },
);
