import type { Locator, Page } from "playwright";
import { describe } from "vitest";
import { answerRequests } from "../answer-requests.ts";
import { expect } from "../expect.ts";
import { test } from "../shop-test.ts";
import type { Shop } from "../start-shop.ts";
import { desktop } from "../viewports.ts";
import { readyExample } from "./open-example.ts";

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
      const stage = await readyExample(page, widget, example);
      await expect(stage.getByLabel(label, { exact: true })).toHaveValue(text);
      if (widget === "password-strength")
        await expect(stage.locator(".sf-strength-text")).toHaveText("Password strength: very strong");
    }
  });
});

function stageOf(page: Page, widget: string, example: string): Locator {
  return page.locator(`[data-widget="${widget}"][data-example="${example}"] .sf-specimen-stage`);
}

/** Opens a widget's page and enters text before React hydrates it, as visitors with a slow connection do. */
async function beforeHydration(page: Page, shop: Shop, widget: string, act: () => Promise<unknown>) {
  const acted = Promise.withResolvers<void>();
  await answerRequests(page, "*/hydrate-*.js", (request) => acted.promise.then(request.continue));
  await page.goto(`${shop.listener}/widgets/${widget}`);
  await act();
  acted.resolve();
}
