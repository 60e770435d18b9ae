import { describe } from "vitest";
import { widgetDocs } from "../../../client/features/gallery/widget-docs.ts";
import { enlargeText } from "../enlarge-text.ts";
import { expect } from "../expect.ts";
import { findOverflows } from "../find-overflows.ts";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

const narrow = { viewport: { width: 320, height: 800 } };

describe("a target", () => {
  test("of an icon button is 24, 36 or 44 px wide and high, and grows with the text", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    for (const [size, side] of [
      ["small", 24],
      ["medium", 36],
      ["large", 44],
    ] as const) {
      const button = (await openExample(page, shop, "icon-button", `size ${size}`)).getByRole("button");
      expect(await button.boundingBox()).toMatchObject({ width: side, height: side });
    }
    await enlargeText(page);
    await page.reload();
    const button = (await openExample(page, shop, "icon-button", "size large")).getByRole("button");
    expect(await button.boundingBox()).toMatchObject({ width: 88, height: 88 });
  });
});

test("a banderole grows with the text instead of cutting it off", async ({ newPage, shop }) => {
  const page = await newPage(narrow);
  await enlargeText(page);
  const banderole = (await openExample(page, shop, "banderole", "long text")).locator(".sf-banderole");
  const strip = banderole.getByRole("paragraph");
  await expect(strip).toHaveCSS("font-size", "32px");
  const [whole, box] = await Promise.all([banderole.boundingBox(), strip.boundingBox()]);
  expect(box?.y).toBeGreaterThanOrEqual(whole?.y ?? Infinity);
  expect(await strip.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test("no widget sticks out of a window 320 px wide when text is twice as large", async ({ newPage, shop }) => {
  const page = await newPage(narrow);
  await enlargeText(page);
  const found: string[] = [];
  for (const { widget } of widgetDocs) {
    await page.goto(`${shop.listener}/widgets/${widget}`);
    found.push(...(await page.evaluate(findOverflows)).map((overflow) => `${widget}: ${overflow}`));
  }
  expect(found).toEqual([]);
});
