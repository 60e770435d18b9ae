import type { Locator } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

const withoutScript = { ...desktop, javaScriptEnabled: false };
const frame = ".sf-expandable-frame";

/** How many lines of a text can't be seen. */
function hiddenLines(text: Locator): Promise<number> {
  return text.evaluate(({ scrollHeight, clientHeight }) => Math.floor((scrollHeight - clientHeight) / 20));
}

describe("an expandable text", () => {
  test.for([
    ["text", 96],
    ["low text", 60],
  ] as const)("%s is %i px high until its control expands it", async ([example, height], { sharedPage, shop }) => {
    const specimen = await openExample(await sharedPage(desktop), shop, "expandable", example);
    const text = specimen.locator(frame);
    const control = specimen.getByRole("button");
    await expect(control).toHaveAccessibleName("Show more");
    await expect(control).toHaveAttribute("aria-expanded", "false");
    await expect(control).toHaveAttribute("aria-controls", (await text.getAttribute("id")) ?? "");
    expect((await text.boundingBox())?.height).toBe(height);
    await control.click();
    await expect(control).toHaveAccessibleName("Show less");
    await expect(control).toHaveAttribute("aria-expanded", "true");
    expect((await text.boundingBox())?.height).toBeGreaterThan(height);
    await control.click();
    await expect(control).toHaveAttribute("aria-expanded", "false");
    expect((await text.boundingBox())?.height).toBe(height);
    await expect(control).toBeInViewport();
  });

  test("that fits has no control", async ({ sharedPage, shop }) => {
    const specimen = await openExample(await sharedPage(desktop), shop, "expandable", "text that fits");
    await expect(specimen.locator(frame)).toBeVisible();
    await expect(specimen.getByRole("button")).toHaveCount(0);
  });

  test("shows a link that gets the focus", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const specimen = await openExample(page, shop, "expandable", "low text");
    const control = specimen.getByRole("button");
    await expect(control).toHaveAttribute("aria-expanded", "false");
    await control.focus();
    await page.keyboard.press("Shift+Tab");
    const link = specimen.getByRole("link");
    await expect(link).toBeFocused();
    await expect(control).toHaveAttribute("aria-expanded", "true");
    const [inner, outer] = await Promise.all([link.boundingBox(), specimen.locator(frame).boundingBox()]);
    if (!inner || !outer) throw new Error("nothing is shown");
    expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height + 1);
    expect(await specimen.locator(frame).evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  });

  test("is printed as a whole, like a closed panel", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const text = await openExample(page, shop, "expandable", "text");
    const panel = await openExample(page, shop, "expandable", "panel");
    await expect(text.getByRole("button")).toBeVisible();
    expect(await hiddenLines(text.locator(frame))).toBeGreaterThan(0);
    await expect(panel.getByRole("link")).toHaveCount(0);
    await page.emulateMedia({ media: "print" });
    await expect(text.getByRole("button")).toBeHidden();
    expect(await hiddenLines(text.locator(frame))).toBe(0);
    await expect(panel.getByRole("link")).toBeVisible();
  });

  test("is readable without script, and a panel opens", async ({ newPage, shop }) => {
    const page = await newPage(withoutScript);
    await page.goto(`${shop.listener}/widgets/expandable`);
    const text = page.locator(`[data-example="low text"] ${frame}`);
    expect(await hiddenLines(text)).toBe(0);
    const panel = page.locator(`[data-widget=expandable][data-example="panel"] .sf-expandable`);
    await expect(panel.getByRole("link")).toHaveCount(0);
    await panel.getByText("Delivery and returns").click();
    await expect(panel.getByRole("link")).toBeVisible();
  });
});
