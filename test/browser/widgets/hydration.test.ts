import { expect } from "playwright/test";
import { describe } from "vitest";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";

const typed = {
  "text-input": [
    ["text", "First name", "Kim", "Kim"],
    ["password", "Password", "Espresso", "Espresso"],
    ["iban", "IBAN", "de89-3704", "DE89 3704"],
    ["number", "Amount", "1.234,5 €", "1234,5"],
  ],
  "date-input": [["default", "Delivery day", "2026-12-24", "2026-12-24"]],
  "time-input": [["default", "Pick-up time", "09:30", "09:30"]],
  "password-strength": [["empty", "Password", "Kaffeebohne7", "Kaffeebohne7"]],
} as const;

describe("what is typed before script runs", () => {
  test.for(Object.entries(typed))("stays, and is put in order: %s", async ([widget, texts], { newPage, shop }) => {
    const page = await newPage(desktop);
    const released = Promise.withResolvers<void>();
    await page.route("**/hydrate-*.js", async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.goto(`${shop.listener}/widgets/${widget}`);
    const islandOf = (example: string) => page.locator(`[data-example="${example}"] [data-island]`);
    for (const [example, label, given] of texts) {
      await islandOf(example).getByLabel(label, { exact: true }).fill(given);
    }
    released.resolve();
    for (const [example, label, , text] of texts) {
      await expect(islandOf(example)).toHaveAttribute("data-island-state", "ready");
      await expect(islandOf(example).getByLabel(label, { exact: true })).toHaveValue(text);
    }
    if (widget !== "password-strength") return;
    await expect(islandOf("empty").locator(".sf-strength-text")).toHaveText("Password strength: very strong");
  });
});
