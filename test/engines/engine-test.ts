import { test as base, expect, inject } from "vitest";
import { addAccount } from "../../server/accounts/accounts.ts";
import { type Shop, type ShopOptions, startShop } from "../browser/start-shop.ts";
import { seedDemo } from "../support/seed-demo.ts";
import { texts } from "../support/test-app.ts";
import type { Driver } from "./driver.ts";
import { createPageWatch, type PageWatch } from "./page-watch.ts";
import { startFirefox } from "./start-firefox.ts";
import { startWebKit } from "./start-webkit.ts";
import { createVisitor, type Visitor } from "./visitor.ts";

interface WatchedShop extends Shop, Omit<PageWatch, "watch"> {}

const starts = { firefox: startFirefox, webkit: startWebKit };

/** Signs customers and staff in. */
export const password = "correct horse battery staple";
export const customer = "demo@example.com";
export const staff = "staff@example.com";

/** The browsers of this worker, by whether their pages run scripts. */
const started = new Map<boolean, Promise<Driver>>();

/**
 * A test with a running shop and a visitor. Anything that goes wrong in their pages fails it, unless the test takes the
 * faults. `scripting` says whether the pages run scripts, `startProviders` where customers sign in elsewhere.
 */
export const test = base
  // biome-ignore-start lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures one needs
  .extend("startProviders", { scope: "file" }, (): ShopOptions["startProviders"] => undefined)
  .extend("shop", { scope: "file" }, async ({ startProviders }, { onCleanup }): Promise<WatchedShop> => {
    const { watch, ...watched } = createPageWatch();
    const shop = await startShop({ watch, startProviders });
    onCleanup(() => shop.close());
    const { db } = shop.store;
    await seedDemo({ db, sites: shop.sites, texts });
    await addAccount(db, "customer", { email: customer, password, firstName: "Erika", lastName: "Mustermann" });
    await addAccount(db, "staff", { email: staff, password });
    return { ...shop, ...watched };
  })
  .extend("scripting", { scope: "worker" }, (): boolean => true)
  .extend("driver", { scope: "worker" }, async ({ scripting }, { onCleanup }): Promise<Driver> => {
    const starting = started.get(scripting) ?? starts[inject("engine")]({ scripting });
    started.set(scripting, starting);
    const driver = await starting;
    // Tests with fixtures of their own share the browser.
    onCleanup(async () => {
      if (started.delete(scripting)) await driver.close();
    });
    return driver;
  })
  // biome-ignore-end lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures one needs
  .extend("visitor", async ({ driver, shop }, { onCleanup }): Promise<Visitor> => {
    const leave = async () => {
      await leavePage(driver, shop);
      await driver.removeCookies();
      await driver.goto("about:blank");
    };
    onCleanup(async () => {
      await leave().catch(async (reason) => {
        if (!(await driver.replaceIfStopped?.())) throw reason;
        shop.takeFaults();
        // The configuration repeats a test that ends with these words.
        throw new Error("the browser has stopped");
      });
      expect(shop.takeFaults()).toEqual([]);
    });
    shop.takeRequests();
    return createVisitor(driver, (address) => framePage(shop, address));
  });

/**
 * Leaves a page for an empty one, because its calls would miss their cookies: WebKit removes cookies of the host that
 * it shows.
 */
async function leavePage(driver: Driver, shop: Shop) {
  const { origin } = new URL(String(await driver.evaluate("location.href")));
  if (origin === "null") return;
  shop.answer(`${origin}/empty`, (_request, response) => {
    response.setHeader("Content-Type", "text/html").end('<!doctype html><link rel="icon" href="data:,">');
  });
  await driver.goto(`${origin}/empty`);
}

/** Makes the shop show a page of its own in a frame as wide as a phone. */
function framePage(shop: Shop, address: string): string {
  const frame = new URL("/phone", address).href;
  shop.answer(frame, (_request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8").end(
      `<!doctype html><html lang="en"><title>A phone</title><link rel="icon" href="data:,">
       <body style="margin: 0"><iframe data-phone src="${address}" style="border: 0; width: 375px; height: 812px"></iframe>`,
    );
  });
  return frame;
}
