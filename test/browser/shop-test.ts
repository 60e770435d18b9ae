import type { Browser, BrowserContextOptions, Page } from "playwright";
import { test as base, inject } from "vitest";
import type { AppContext } from "../../server/features/feature.ts";
import type { Site } from "../../server/sites/countries.ts";
import { answerNoRequests } from "./answer-requests.ts";
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
 * - `sharedPage` gives one page to all tests of a file that pass the same object as options: much faster
 * - `unwatchedPage` gives another such page, whose faults fail nothing: they are what the test is about
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
  .extend("sharedPages", { scope: "file" }, ({}, { onCleanup }) => createPool(onCleanup))
  .extend("unwatchedPages", { scope: "file" }, ({}, { onCleanup }) => createPool(onCleanup))
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
  .extend("unwatchedPage", ({ browser, unwatchedPages }): GivePage => {
    const used: Pages = new Map();
    return async (options) => (await givePage(browser, unwatchedPages, used, options)).page;
  })
  .extend("sharedPage", async ({ browser, sharedPages }, { onCleanup }): Promise<GivePage> => {
    const used: Pages = new Map();
    onCleanup(() => expectNoFaults([...used.values()]));
    return async (options) => (await givePage(browser, sharedPages, used, options)).page;
  })
  .extend("open", async ({ sharedPage, shop }): Promise<OpenPage> => {
    return async (site, options, path) => {
      const page = await sharedPage(options);
      await page.goto(shop.address(site, path));
      return page;
    };
  });

/** Pages by their options. */
type Pages = Map<BrowserContextOptions, WatchedPage>;

/** Creates the pool of pages that the tests of a file share. */
function createPool(onCleanup: (close: () => Promise<void>) => void): Pages {
  const pool: Pages = new Map();
  onCleanup(async () => {
    await Promise.all([...pool.values()].map((page) => page.close()));
  });
  return pool;
}

/**
 * Gives a page without cookies, which is opened unless the pool has one with these options.
 * @param pool - the pages of the file
 * @param used - those that the test has already got
 */
async function givePage(
  browser: Browser,
  pool: Pages,
  used: Pages,
  options: BrowserContextOptions,
): Promise<WatchedPage> {
  const shared = pool.get(options) ?? (await openWatchedPage(browser, options));
  pool.set(options, shared);
  if (!used.has(options)) await endRequests(shared.page);
  used.set(options, shared);
  await shared.page.context().clearCookies();
  if (options.viewport) await shared.page.setViewportSize(options.viewport);
  return shared;
}

/** Ends pending requests that would fail without the cookies of the previous test, or would set them again. */
async function endRequests(page: Page): Promise<void> {
  await answerNoRequests(page);
  await page.context().unrouteAll({ behavior: "ignoreErrors" });
  const cookies = await page.context().cookies();
  // Only then, because after an empty page the next one takes twice as long to load.
  if (cookies.length > 0) await page.goto("about:blank");
}

function expectNoFaults(pages: WatchedPage[]) {
  const faults = pages.flatMap((page) => page.takeFaults());
  expect(faults, "faults of the page").toEqual([]);
}
