import { describe } from "vitest";
import { minute } from "../../../client/rules/time.ts";
import { expect } from "../expect.ts";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

describe("an icon button", () => {
  test.for(["icon-button", "button"])(
    "ripples for at least 250 ms, however short the press: %s",
    async (widget, { newPage, shop }) => {
      const page = await newPage(desktop);
      await page.clock.install();
      const button = (await openExample(page, shop, widget, "size large")).getByRole("button");
      await page.clock.pauseAt(Date.now() + minute);
      await button.click();
      await page.clock.runFor(249);
      await expect(button).toHaveAttribute("data-ripple");
      await page.clock.runFor(1);
      await expect(button).not.toHaveAttribute("data-ripple");
    },
  );

  test("shows a second press as long as it lasts, without a ripple for visitors who want less motion", async ({
    newPage,
    shop,
  }) => {
    const page = await newPage({ ...desktop, reducedMotion: "reduce" });
    await page.clock.install();
    const button = (await openExample(page, shop, "icon-button", "size large")).getByRole("button");
    await button.click();
    await page.mouse.down();
    await page.clock.runFor(1000);
    await expect(button).toHaveAttribute("data-ripple");
    expect(await button.evaluate((element) => element.getAnimations({ subtree: true }).length)).toBe(0);
    await page.mouse.up();
  });
});
