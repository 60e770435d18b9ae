import { expect } from "playwright/test";
import { describe } from "vitest";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { beforeHydration } from "./before-hydration.ts";
import { openExample } from "./open-example.ts";

const narrow = { viewport: { width: 320, height: 800 } };

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

  test("keeps and reports what was checked before hydration", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const stage = await beforeHydration(page, shop, ["checkbox", "kept by its parent"], (early) =>
      early.getByRole("checkbox").check(),
    );
    await expect(stage.getByRole("checkbox")).toBeChecked();
    await expect(stage.getByRole("status")).toHaveText("yes");
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

  test("says what is wrong", async ({ sharedPage, shop }) => {
    const stage = await openExample(await sharedPage(desktop), shop, "checkbox", "error");
    const box = stage.getByRole("checkbox");
    await expect(box).toHaveAccessibleDescription("Please give your consent to receive the newsletter");
    await expect(box).toHaveAttribute("aria-invalid", "true");
  });

  test("has a target of 24 px in a row of 44 px", async ({ sharedPage, shop }) => {
    const stage = await openExample(await sharedPage(desktop), shop, "checkbox", "default");
    expect(await stage.getByRole("checkbox").boundingBox()).toMatchObject({ width: 24, height: 24 });
    expect((await stage.locator("label").boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  test("wraps its label beside the box at 320 px with text twice as large", async ({ newPage, shop }) => {
    const page = await newPage(narrow);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
    const stage = await openExample(page, shop, "checkbox", "link");
    const box = await stage.getByRole("checkbox").boundingBox();
    const text = await stage.locator(".sf-choice-text").boundingBox();
    if (!box || !text) throw new Error("the checkbox isn't shown");
    expect(text.x).toBeGreaterThanOrEqual(box.x + box.width);
    expect(text.x + text.width).toBeLessThanOrEqual(320);
    expect(text.height).toBeGreaterThan(2 * box.height);
  });
});
