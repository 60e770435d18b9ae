import type { Browser, BrowserContextOptions, Page } from "playwright";
import { expect } from "playwright/test";
import { test as base, inject } from "vitest";
import type { Site } from "../../server/sites/countries.ts";
import { launchBrowser } from "./launch-browser.ts";
import { type Shop, startShop } from "./start-shop.ts";
import { openWatchedPage, type WatchedPage } from "./watched-page.ts";

type GivePage = (options: BrowserContextOptions) => Promise<Page>;
type OpenPage = (site: Site, options: BrowserContextOptions, path?: string) => Promise<Page>;

/**
 * A test with a running shop and a browser; whatever goes wrong in one of its pages fails it.
 * - `newPage` gives a page in a context of its own, for tests that change it for good
 * - `sharedPage` gives one page to all tests of a file that ask for the same options: much faster
 * - `open` shows a page of a site in the shared page
 */
export const test = base
  // biome-ignore-start lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures one needs
  .extend("shop", { scope: "file" }, async ({}, { onCleanup }): Promise<Shop> => {
    const shop = await startShop();
    onCleanup(() => shop.close());
    return shop;
  })
  .extend("browser", { scope: "file" }, async ({}, { onCleanup }): Promise<Browser> => {
    const browser = await launchBrowser(inject("engine"), inject("browserPath"));
    onCleanup(() => browser.close());
    return browser;
  })
  // biome-ignore-end lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures one needs
  .extend("sharedPages", { scope: "file" }, () => new Map<BrowserContextOptions, WatchedPage>())
  .extend("newPage", async ({ browser }, { onCleanup }): Promise<GivePage> => {
    const pages: WatchedPage[] = [];
    onCleanup(async () => {
      await Promise.all(pages.map((own) => own.close()));
      expectNoFaults(pages);
    });
    return async (options) => {
      const own = await openWatchedPage(browser, options);
      pages.push(own);
      return own.page;
    };
  })
  .extend("sharedPage", async ({ browser, sharedPages }, { onCleanup }): Promise<GivePage> => {
    const used = new Set<WatchedPage>();
    onCleanup(async () => {
      for (const { page } of used) {
        await page.unrouteAll({ behavior: "ignoreErrors" });
        await page.context().unrouteAll({ behavior: "ignoreErrors" });
      }
      expectNoFaults([...used]);
    });
    return async (options) => {
      const shared = sharedPages.get(options) ?? (await openWatchedPage(browser, options));
      sharedPages.set(options, shared);
      // What the test before still asks for ends here: it would miss its cookies.
      if (!used.has(shared)) await shared.page.goto("about:blank");
      used.add(shared);
      await shared.page.context().clearCookies();
      if (options.viewport) await shared.page.setViewportSize(options.viewport);
      return shared.page;
    };
  })
  .extend("open", async ({ sharedPage, shop }): Promise<OpenPage> => {
    return async (site, options, path) => {
      const page = await sharedPage(options);
      await page.goto(shop.address(site, path));
      return page;
    };
  });

function expectNoFaults(pages: WatchedPage[]) {
  const faults = pages.flatMap((page) => page.takeFaults());
  expect(faults, "faults of the page").toEqual([]);
}
