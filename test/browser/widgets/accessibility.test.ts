import { expect } from "playwright/test";
import { widgetDocs } from "../../../client/gallery/widget-docs.ts";
import { findViolations } from "../find-violations.ts";
import { test } from "../shop-test.ts";
import { desktop, viewports } from "../viewports.ts";
import { openExample } from "./open-example.ts";

const displays = [viewports.MATCH, viewports.CLASSIC].flatMap((viewport) =>
  (["none", "active"] as const).map((forcedColors) => ({ viewport, forcedColors })),
);

test.for(widgetDocs)(
  "no example of the $widget has an accessibility violation, in any size and colours",
  async (doc, { sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    for (const { name } of doc.examples) await openExample(page, shop, doc.widget, name);
    for (const { viewport, forcedColors } of displays) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ forcedColors });
      const violations = await findViolations(page, `[id="${doc.widget}"]`);
      expect(violations, `${viewport.width} px wide, forced colours: ${forcedColors}`).toEqual([]);
    }
  },
);
