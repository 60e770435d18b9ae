import { expect } from "playwright/test";
import { describe } from "vitest";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { beforeHydration } from "./before-hydration.ts";
import { openExample } from "./open-example.ts";

describe("the salutation", () => {
  test("is one stop of the keyboard, and arrows choose in the order of display", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const stage = await openExample(page, shop, "salutation", "radio optional");
    const group = stage.getByRole("radiogroup", { name: "Title" });
    await expect(group.getByRole("radio", { checked: true })).toHaveCount(0);
    await group.getByRole("radio", { name: "Ms" }).focus();
    for (const name of ["Mr", "Mx", "Company"]) {
      await page.keyboard.press("ArrowRight");
      await expect(group.getByRole("radio", { name, exact: true })).toBeChecked();
    }
    await expect(stage.locator("[data-kept]")).toHaveAttribute("data-kept", "COMPANY");
    await page.keyboard.press("Tab");
    await expect(group.locator(":focus")).toHaveCount(0);
  });

  test.for(["radio", "select"])(
    "as %s keeps and reports what was chosen before hydration",
    async (as, { newPage, shop }) => {
      const page = await newPage(desktop);
      const stage = await beforeHydration(page, shop, ["salutation", `${as} optional`], (early) =>
        as === "radio" ? early.getByRole("radio").nth(1).check() : early.getByRole("combobox").selectOption("MR"),
      );
      await expect(stage.locator("[data-kept]")).toHaveAttribute("data-kept", "MR");
      await expect(stage.locator('[value="MR"]:checked')).toHaveCount(1);
    },
  );

  test("may be left open again in the select", async ({ sharedPage, shop }) => {
    const stage = await openExample(await sharedPage(desktop), shop, "salutation", "select chosen");
    await stage.getByRole("combobox", { name: "Title" }).selectOption({ index: 0 });
    await expect(stage.locator("[data-kept]")).toHaveAttribute("data-kept", "");
  });

  test.for(["radio", "select"])("as %s says what is wrong", async (as, { sharedPage, shop }) => {
    const stage = await openExample(await sharedPage(desktop), shop, "salutation", `${as} error`);
    const field = stage.getByRole(as === "radio" ? "radiogroup" : "combobox", { name: "Title" });
    await expect(field).toHaveAccessibleDescription("Please choose");
    await expect(field).toHaveAttribute("aria-invalid", "true");
  });

  test.for(["radio", "select"])(
    "as %s is locked while disabled, and shows what is known",
    async (as, { sharedPage, shop }) => {
      const stage = await openExample(await sharedPage(desktop), shop, "salutation", `${as} disabled`);
      await expect(stage.locator('[value="MRS"]:checked')).toHaveCount(1);
      for (const control of await stage.locator("input, select").all()) await expect(control).toBeDisabled();
    },
  );
});
