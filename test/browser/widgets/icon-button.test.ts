import { expect } from "playwright/test";
import { describe } from "vitest";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

describe("an icon button", () => {
  test.for(["icon-button", "button"])(
    "ripples for at least 250 ms, however short the press: %s",
    async (widget, { sharedPage, shop }) => {
      const page = await sharedPage(desktop);
      const specimen = await openExample(page, shop, widget, "size large");
      const button = specimen.getByRole("button");
      await button.evaluate((element) => {
        new MutationObserver(() => performance.mark(element.dataset.ripple === undefined ? "gone" : "shown")).observe(
          element,
          { attributeFilter: ["data-ripple"] },
        );
      });
      await button.click();
      await expect(button).not.toHaveAttribute("data-ripple");
      const times = await page.evaluate(() => {
        const at = (name: string) => performance.getEntriesByName(name).map(({ startTime }) => startTime);
        const result = { shown: at("shown"), gone: at("gone") };
        performance.clearMarks();
        return result;
      });
      expect(times.shown).toHaveLength(1);
      expect((times.gone[0] ?? 0) - (times.shown[0] ?? 0)).toBeGreaterThanOrEqual(249);
    },
  );

  test("doesn't ripple for visitors who want less motion", async ({ newPage, shop }) => {
    const page = await newPage({ ...desktop, reducedMotion: "reduce" });
    const button = (await openExample(page, shop, "icon-button", "size large")).getByRole("button");
    await button.hover();
    await page.mouse.down();
    await expect(button).toHaveAttribute("data-ripple");
    expect(await button.evaluate((element) => element.getAnimations({ subtree: true }).length)).toBe(0);
    await page.mouse.up();
  });
});
