import type { Locator, Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { test } from "../shop-test.ts";
import type { Shop } from "../start-shop.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

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

describe("what is entered before script runs", () => {
  test.for(Object.entries(typed))("stays, and is put in order: %s", async ([widget, texts], { newPage, shop }) => {
    const page = await newPage(desktop);
    await beforeHydration(page, shop, widget, async () => {
      for (const [example, label, given] of texts)
        await stageOf(page, widget, example).getByLabel(label, { exact: true }).fill(given);
    });
    for (const [example, label, , text] of texts) {
      const stage = await openExample(page, shop, widget, example);
      await expect(stage.getByLabel(label, { exact: true })).toHaveValue(text);
      if (widget === "password-strength")
        await expect(stage.locator(".sf-strength-text")).toHaveText("Password strength: very strong");
    }
  });

  test.for<[widget: string, example: string, act: (stage: Locator) => Promise<unknown>, chosen: string, said?: string]>(
    [
      ["checkbox", "kept by its parent", (stage) => stage.getByRole("checkbox").check(), "NEWSLETTER", "yes"],
      ["select", "kept by its parent", (stage) => choose(stage, "FILTER"), "FILTER", "FILTER"],
      ["select", "chosen", (stage) => choose(stage, "ESPRESSO"), "ESPRESSO"],
      ["salutation", "radio optional", (stage) => stage.getByRole("radio").nth(1).check(), "MR"],
      ["salutation", "select optional", (stage) => choose(stage, "MR"), "MR"],
    ],
  )("is kept and reported: %s, %s", async ([widget, example, act, chosen, said], { newPage, shop }) => {
    const page = await newPage(desktop);
    await beforeHydration(page, shop, widget, () => act(stageOf(page, widget, example)));
    const stage = await openExample(page, shop, widget, example);
    await expect(stage.locator("input:checked, select")).toHaveValue(chosen);
    if (said) await expect(stage.getByRole("status")).toHaveText(said);
    if (widget === "salutation") await expect(stage.locator("[data-kept]")).toHaveAttribute("data-kept", chosen);
  });
});

function stageOf(page: Page, widget: string, example: string): Locator {
  return page.locator(`[data-widget="${widget}"][data-example="${example}"] .sf-specimen-stage`);
}

function choose(stage: Locator, value: string) {
  return stage.getByRole("combobox").selectOption(value);
}

/** Opens a widget's page, and enters something before React takes over, as a visitor does whose scripts come late. */
async function beforeHydration(page: Page, shop: Shop, widget: string, act: () => Promise<unknown>) {
  const acted = Promise.withResolvers<void>();
  await page.route("**/hydrate-*.js", (route) => acted.promise.then(() => route.continue()));
  await page.goto(`${shop.listener}/widgets/${widget}`);
  await act();
  acted.resolve();
}
