import type { Locator, Page } from "playwright";
import type { Shop } from "../start-shop.ts";
import { openExample } from "./open-example.ts";

/**
 * Does something to an example before React takes it over, as a visitor does whose scripts come late.
 * @returns the example, alive by then
 */
export async function beforeHydration(
  page: Page,
  shop: Shop,
  [widget, example]: [widget: string, example: string],
  act: (stage: Locator) => Promise<unknown>,
): Promise<Locator> {
  const acted = Promise.withResolvers<void>();
  await page.route("**/hydrate-*.js", async (route) => {
    await acted.promise;
    await route.continue();
  });
  await page.goto(`${shop.listener}/widgets/${widget}`);
  await act(page.locator(`[data-widget="${widget}"][data-example="${example}"] .sf-specimen-stage`));
  acted.resolve();
  return openExample(page, shop, widget, example);
}
