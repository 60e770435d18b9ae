import { describe } from "vitest";
import { expect } from "../expect.ts";
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
});

describe("a select", () => {
  test("is chosen from by typing, and is under its arrow, too", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const stage = await openExample(page, shop, "select", "kept by its parent");
    await stage.getByRole("combobox", { name: "Grind" }).focus();
    await page.keyboard.type("Ground for e");
    await expect(stage.getByRole("status")).toHaveText("ESPRESSO");
    const pressed = await stage.locator(".sf-icon").evaluate((arrow) => {
      const { left, top, width, height } = arrow.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2)?.localName;
    });
    expect(pressed).toBe("select");
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
});
