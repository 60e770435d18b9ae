import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright";
import { test as base, inject } from "vitest";
import type { AppContext } from "../../server/features/feature.ts";
import type { Site } from "../../server/sites/countries.ts";
import { expect } from "./expect.ts";
import { closeInTime, launchBrowser } from "./launch-browser.ts";
import { type Shop, startShop } from "./start-shop.ts";
import { openWatchedPage, type WatchedPage } from "./watched-page.ts";

type GivePage = (options: BrowserContextOptions) => Promise<Page>;
type OpenPage = (site: Site, options: BrowserContextOptions, path?: string) => Promise<Page>;

/**
 * The browser of this worker. Without this variable, Vitest would start another for each test that extends the one
 * below.
 */
let launched: Promise<Browser> | undefined;

/**
 * A test with a running shop and a browser; whatever goes wrong in one of its pages fails it.
 * - `own` is what of the shop isn't the built-in one, for tests that extend this one
 * - `newPage` gives a page in a context of its own, for tests that change it for good
 * - `unwatchedPage` gives such a page whose faults fail nothing: they are what the test is about
 * - `sharedPage` gives one page to all tests of a file that ask for the same options: much faster
 * - `open` shows a page of a site in the shared page
 */
export const test = base
  // biome-ignore-start lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures one needs
  .extend("own", { scope: "file" }, ({}): Pick<AppContext, "assets" | "brand"> | undefined => undefined)
  .extend("shop", { scope: "file" }, async ({ own }, { onCleanup }): Promise<Shop> => {
    const shop = await startShop({ own });
    onCleanup(() => shop.close());
    return shop;
  })
  .extend("browser", { scope: "worker" }, async ({}, { onCleanup }): Promise<Browser> => {
    launched ??= launchBrowser(inject("browserPath"));
    const browser = await launched;
    onCleanup(() => closeInTime(browser));
    return browser;
  })
  .extend("sharedPages", { scope: "file" }, ({}, { onCleanup }) => {
    const pages = new Map<BrowserContextOptions, WatchedPage>();
    onCleanup(async () => {
      await Promise.all([...pages.values()].map((shared) => shared.close()));
    });
    return pages;
  })
  // biome-ignore-end lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures one needs
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
  .extend("unwatchedPage", async ({ browser }, { onCleanup }): Promise<GivePage> => {
    const contexts: BrowserContext[] = [];
    onCleanup(async () => {
      await Promise.all(contexts.map(closeInTime));
    });
    return async (options) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      return context.newPage();
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
      // Ends the pending requests of the previous test, which would fail without its cookies.
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
