import { describe } from "vitest";
import { expect } from "../expect.ts";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

const low = { viewport: { width: 375, height: 250 } };
const withoutScript = { ...desktop, javaScriptEnabled: false };
const fields = [
  { text: "Please choose a salutation", label: "legend", value: "MRS" },
  { text: "Please choose a grind", label: "label[for]", value: "" },
  { text: "Please agree to the conditions of the subscription", label: "label:has([type=checkbox])", value: "on" },
];

describe("the error summary", () => {
  test("takes the focus each time that a form was sent in vain", async ({ sharedPage, shop }) => {
    const stage = await openExample(await sharedPage(desktop), shop, "error-summary", "heading h2");
    const summary = stage.getByRole("group", { name: "Please check your entries" });
    for (const _attempt of [1, 2]) {
      await stage.getByRole("button", { name: "Subscribe" }).press("Enter");
      await expect(summary).toBeFocused();
    }
  });

  test("leads to the only wrong field at once", async ({ sharedPage, shop }) => {
    const stage = await openExample(await sharedPage(desktop), shop, "error-summary", "one error");
    await stage.getByRole("button", { name: "Subscribe" }).press("Enter");
    await expect(stage.getByRole("radio").first()).toBeFocused();
    await expect(stage.getByRole("group")).toHaveCount(0);
  });

  test.for(fields)(
    "leads to its field with the label in view: $text",
    async ({ text, label, value }, { sharedPage, shop }) => {
      const page = await sharedPage(low);
      const stage = await openExample(page, shop, "error-summary", "heading h3");
      // The room that the service's own pages keep above a target would be enough for a label.
      await page.evaluate(() => document.documentElement.style.setProperty("scroll-padding", "0"));
      await stage.getByRole("link", { name: text }).press("Enter");
      const field = page.locator(":focus");
      expect(await field.inputValue()).toBe(value);
      await expect(stage.locator(label)).toBeInViewport({ ratio: 1 });
      expect(page.url()).not.toContain("#");
    },
  );

  test("leads to its fields without JavaScript", async ({ sharedPage, shop }) => {
    const page = await sharedPage(withoutScript);
    await page.goto(`${shop.listener}/widgets/error-summary`);
    const stage = page.locator('[data-widget="error-summary"][data-example="heading h2"] .sf-specimen-stage');
    for (const { text } of fields) {
      await stage.getByRole("link", { name: text }).click();
      await expect(stage.locator(":target")).toBeInViewport();
      await expect(stage.locator(":target")).toHaveAttribute("name", /./);
    }
  });
});
