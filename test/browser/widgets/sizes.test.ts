import { expect } from "playwright/test";
import { describe } from "vitest";
import { enlargeText } from "../enlarge-text.ts";
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

describe("in a window 320 px wide", () => {
  test("a banderole grows with the text instead of cutting it off", async ({ newPage, shop }) => {
    const page = await newPage(narrow);
    await enlargeText(page);
    const specimen = await openExample(page, shop, "banderole", "long text");
    const whole = await specimen.locator(".sf-banderole").boundingBox();
    const strip = specimen.getByRole("paragraph");
    await expect(strip).toHaveCSS("font-size", "32px");
    const box = await strip.boundingBox();
    if (!whole || !box) throw new Error("nothing is shown");
    expect(box.x + box.width).toBeLessThanOrEqual(whole.x + whole.width);
    expect(box.y).toBeGreaterThanOrEqual(whole.y);
    expect(await strip.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });

  test("a checkbox wraps its label beside the box when text is twice as large", async ({ newPage, shop }) => {
    const page = await newPage(narrow);
    await enlargeText(page);
    const stage = await openExample(page, shop, "checkbox", "link");
    const box = await stage.getByRole("checkbox").boundingBox();
    const text = await stage.locator(".sf-choice-text").boundingBox();
    if (!box || !text) throw new Error("the checkbox isn't shown");
    expect(text.x).toBeGreaterThanOrEqual(box.x + box.width);
    expect(text.x + text.width).toBeLessThanOrEqual(320);
    expect(text.height).toBeGreaterThan(2 * box.height);
  });

  test("a select stays inside, however long its entries", async ({ sharedPage, shop }) => {
    const page = await sharedPage(narrow);
    const stage = await openExample(page, shop, "select", "long entries");
    const room = await stage.boundingBox();
    const select = await stage.getByRole("combobox").boundingBox();
    if (!room || !select) throw new Error("the select isn't shown");
    expect(select.x + select.width).toBeLessThanOrEqual(room.x + room.width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
});
