import type { Locator, Page } from "playwright";
import { expect } from "../expect.ts";
import type { Shop } from "../start-shop.ts";

/**
 * Opens a widget's page at an example.
 * @returns the example's part of the page, hydrated
 */
export async function openExample(page: Page, shop: Shop, widget: string, example: string): Promise<Locator> {
  await page.goto(`${shop.listener}/widgets/${widget}`);
  return readyExample(page, widget, example);
}

/** Scrolls the open page of a widget to an example, and returns its part of the page, hydrated. */
export async function readyExample(page: Page, widget: string, example: string): Promise<Locator> {
  const specimen = page.locator(`[data-widget="${widget}"][data-example="${example}"]`);
  await specimen.scrollIntoViewIfNeeded();
  await expect(specimen.locator("[data-island]")).toHaveAttribute("data-island-state", "ready", { timeout: 20_000 });
  return specimen.locator(".sf-specimen-stage");
}
