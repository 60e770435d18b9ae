import { expect } from "playwright/test";
import { describe } from "vitest";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { galleryOf } from "./gallery-of.ts";

describe("what is typed before script runs", () => {
  test("stays, and is put in order", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const released = Promise.withResolvers<void>();
    await page.route("**/hydrate-*.js", async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.goto(await galleryOf(shop, "text-input", "date-input", "time-input", "password-strength"));
    const islandOf = (widget: string, example: string) =>
      page.locator(`[data-widget="${widget}"][data-example="${example}"] [data-island]`);
    const texts = [
      [islandOf("text-input", "text"), "First name", "Kim", "Kim"],
      [islandOf("text-input", "password"), "Password", "Espresso", "Espresso"],
      [islandOf("text-input", "iban"), "IBAN", "de89-3704", "DE89 3704"],
      [islandOf("text-input", "number"), "Amount", "1.234,5 €", "1234,5"],
      [islandOf("date-input", "default"), "Delivery day", "2026-12-24", "2026-12-24"],
      [islandOf("time-input", "default"), "Pick-up time", "09:30", "09:30"],
      [islandOf("password-strength", "empty"), "Password", "Kaffeebohne7", "Kaffeebohne7"],
    ] as const;
    for (const [island, label, typed] of texts) await island.getByLabel(label, { exact: true }).fill(typed);
    released.resolve();
    for (const [island, label, , text] of texts) {
      await expect(island).toHaveAttribute("data-island-state", "ready");
      await expect(island.getByLabel(label, { exact: true })).toHaveValue(text);
    }
    await expect(islandOf("password-strength", "empty").locator(".sf-strength-text")).toHaveText(
      "Password strength: very strong",
    );
  });
});
