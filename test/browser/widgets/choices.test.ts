import { expect } from "playwright/test";
import { describe } from "vitest";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

describe("a checkbox", () => {
  test("is checked by the space bar and by its label", async ({ sharedPage, shop }) => {
    const stage = await openExample(await sharedPage(desktop), shop, "checkbox", "kept by its parent");
    const box = stage.getByRole("checkbox", { name: "Send me news and offers by e-mail" });
    await box.press("Space");
    await expect(box).toBeChecked();
    await expect(stage.getByRole("status")).toHaveText("yes");
    await stage.getByText("Send me").click();
    await expect(box).not.toBeChecked();
    await expect(stage.getByRole("status")).toHaveText("no");
  });

  test("follows a link in its label without being checked", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await page.route("**/service/privacy", (route) => route.fulfill({ contentType: "text/html", body: "Privacy" }));
    const stage = await openExample(page, shop, "checkbox", "link");
    await stage.getByRole("checkbox").focus();
    await page.keyboard.press("Tab");
    await expect(stage.getByRole("link", { name: "privacy notice" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/service\/privacy$/);
    await page.goBack();
    await expect(page.locator('[data-widget="checkbox"][data-example="link"] input')).not.toBeChecked();
  });
});

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
});

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

  test("may be left open again in the select", async ({ sharedPage, shop }) => {
    const stage = await openExample(await sharedPage(desktop), shop, "salutation", "select chosen");
    await stage.getByRole("combobox", { name: "Title" }).selectOption({ index: 0 });
    await expect(stage.locator("[data-kept]")).toHaveAttribute("data-kept", "");
  });
});
