import type { Locator } from "playwright";
import { describe } from "vitest";
import { expect } from "../expect.ts";
import { findCutLines } from "../find-cut-lines.ts";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample, readyExample } from "./open-example.ts";

const withoutScript = { ...desktop, javaScriptEnabled: false };
const frame = ".sf-expandable-frame";

describe("an expandable text", () => {
  test.for([
    ["text", 96],
    ["small text", 60],
  ] as const)("%s is %i px high until its control expands it", async ([example, height], { sharedPage, shop }) => {
    const specimen = await openExample(await sharedPage(desktop), shop, "expandable", example);
    await expectToExpand(specimen, height);
    await expect(specimen.locator("summary")).toBeInViewport();
  });

  test("does so without script, where a panel opens, too", async ({ newPage, shop }) => {
    const page = await newPage(withoutScript);
    await page.goto(`${shop.listener}/widgets/expandable`);
    await expectToExpand(page.locator('[data-example="small text"] .sf-specimen-stage'), 60);
    const panel = page.locator('[data-example="panel"] .sf-expandable');
    await expect(panel.getByRole("link")).toHaveCount(0);
    await panel.getByText("Delivery and returns").click();
    await expect(panel.getByRole("link")).toBeVisible();
  });

  test("shows all of itself while a link in it has the focus", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const specimen = await openExample(page, shop, "expandable", "small text");
    const text = specimen.locator(frame);
    await specimen.locator("summary").focus();
    await page.keyboard.press("Shift+Tab");
    const link = specimen.getByRole("link");
    await expect(link).toBeFocused();
    await expect(link, "as high as any line").toHaveCSS("line-height", "20px");
    expect(await hiddenLines(text)).toBe(0);
    expect(await text.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await page.keyboard.press("Tab");
    expect((await text.boundingBox())?.height).toBe(60);
    await expect(specimen.locator("summary")).toBeInViewport();
    await page.keyboard.press("Enter");
    expect(await hiddenLines(text)).toBe(0);
  });

  test("is printed as a whole, like a closed panel", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const text = await openExample(page, shop, "expandable", "text");
    const panel = await readyExample(page, "expandable", "panel");
    expect(await hiddenLines(text.locator(frame))).toBeGreaterThan(0);
    await expect(panel.getByRole("link")).toHaveCount(0);
    await page.emulateMedia({ media: "print" });
    await expect(text.locator("summary")).toBeHidden();
    expect(await hiddenLines(text.locator(frame))).toBe(0);
    await expect(panel.getByRole("link")).toBeVisible();
  });
});

async function expectToExpand(specimen: Locator, height: number) {
  const text = specimen.locator(frame);
  const control = specimen.locator("summary");
  await expect(control).toHaveAccessibleName("Show more");
  expect((await text.boundingBox())?.height).toBe(height);
  expect(await findCutLines(text)).toEqual([]);
  await control.click();
  await expect(control).toHaveAccessibleName("Show less");
  expect(await hiddenLines(text)).toBe(0);
  await control.click();
  await expect(control).toHaveAccessibleName("Show more");
  expect((await text.boundingBox())?.height).toBe(height);
}

/** Counts the lines of a text that can't be seen. */
function hiddenLines(text: Locator): Promise<number> {
  return text.evaluate(({ scrollHeight, clientHeight }) => Math.floor((scrollHeight - clientHeight) / 20));
}
