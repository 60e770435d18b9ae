import type { Locator, Page } from "playwright";
import { expect } from "../expect.ts";
import type { Shop } from "../start-shop.ts";

/**
 * Opens a widget's page at an example.
 * @param language - the language of the examples; default: the gallery's own
 * @returns the example's part of the page, hydrated
 */
export async function openExample(
  page: Page,
  shop: Shop,
  widget: string,
  example: string,
  language?: string,
): Promise<Locator> {
  const address = `${shop.listener}/widgets/${widget}${language ? `?language=${language}` : ""}`;
  if (page.url().split("#")[0] !== address) await page.goto(address);
  const specimen = page.locator(`[data-widget="${widget}"][data-example="${example}"]`);
  await specimen.scrollIntoViewIfNeeded();
  await expect(specimen.locator("[data-island]")).toHaveAttribute("data-island-state", "ready", { timeout: 20_000 });
  return specimen.locator(".sf-specimen-stage");
}
