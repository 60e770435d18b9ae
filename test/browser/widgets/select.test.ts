import { expect } from "playwright/test";
import { describe } from "vitest";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { beforeHydration } from "./before-hydration.ts";
import { openExample } from "./open-example.ts";

const narrow = { viewport: { width: 320, height: 800 } };

describe("a select", () => {
  test("is found by its label and chosen from by keyboard", async ({ sharedPage, shop }) => {
    const stage = await openExample(await sharedPage(desktop), shop, "select", "kept by its parent");
    const select = stage.getByRole("combobox", { name: "Grind" });
    await select.focus();
    await select.press("ArrowDown");
    await expect(select).toHaveValue("BEANS");
    await expect(stage.getByRole("status")).toHaveText("BEANS");
    await select.press("ArrowUp");
    await expect(stage.getByRole("status")).toHaveText("nothing");
  });

  test("keeps and reports what was chosen before hydration", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const stage = await beforeHydration(page, shop, ["select", "kept by its parent"], (early) =>
      early.getByRole("combobox").selectOption("FILTER"),
    );
    await expect(stage.getByRole("combobox")).toHaveValue("FILTER");
    await expect(stage.getByRole("status")).toHaveText("FILTER");
  });

  test("keeps what was chosen before hydration when it keeps the choice itself", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const stage = await beforeHydration(page, shop, ["select", "chosen"], (early) =>
      early.getByRole("combobox").selectOption("ESPRESSO"),
    );
    await expect(stage.getByRole("combobox")).toHaveValue("ESPRESSO");
  });

  test("says what is wrong", async ({ sharedPage, shop }) => {
    const stage = await openExample(await sharedPage(desktop), shop, "select", "error");
    await expect(stage.getByRole("combobox")).toHaveAccessibleDescription("Please choose a grind");
    await expect(stage.getByRole("combobox")).toHaveAttribute("aria-invalid", "true");
  });

  test("takes no focus while disabled", async ({ sharedPage, shop }) => {
    const stage = await openExample(await sharedPage(desktop), shop, "select", "disabled");
    await expect(stage.getByRole("combobox")).toBeDisabled();
  });

  test("stays inside a window 320 px wide, however long its entries", async ({ sharedPage, shop }) => {
    const page = await sharedPage(narrow);
    const stage = await openExample(page, shop, "select", "long entries");
    const room = await stage.boundingBox();
    const select = await stage.getByRole("combobox").boundingBox();
    if (!room || !select) throw new Error("the select isn't shown");
    expect(select.x + select.width).toBeLessThanOrEqual(room.x + room.width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
});
