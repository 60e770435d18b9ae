import { describe } from "vitest";
import { expect } from "../expect.ts";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

describe("a notification", () => {
  test("comes into a region that was there before it", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const specimen = await openExample(page, shop, "notification", "live region");
    const region = await specimen.getByRole("status").elementHandle();
    await expect(specimen.getByRole("status")).toBeEmpty();
    await specimen.getByRole("button", { name: "Save" }).click();
    await expect(specimen.getByRole("status")).toHaveText("Done: Saved 1 times.");
    expect(await region?.evaluate((element) => element.isConnected)).toBe(true);
  });

  test("has an edge and an icon in forced colours", async ({ newPage, shop }) => {
    const page = await newPage({ ...desktop, forcedColors: "active" });
    const banner = (await openExample(page, shop, "notification", "banner error")).locator(".sf-notification");
    const colors = await banner.evaluate((element) => {
      const { borderTopColor, backgroundColor, color } = getComputedStyle(element);
      return { line: borderTopColor, fill: backgroundColor, icon: color };
    });
    expect(colors.line).not.toBe(colors.fill);
    expect(colors.icon).not.toBe(colors.fill);
  });
});
