import { globSync } from "node:fs";
import type { BrowserContext, Page, Route } from "playwright";
import { describe } from "vitest";
import { assetsFolder } from "../../server/platform/paths.ts";
import type { Site } from "../../server/sites/countries.ts";
import { writeToken } from "../client/features/session/write-token.ts";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { showHostPage } from "./host-page.ts";
import { test } from "./shop-test.ts";
import type { Shop } from "./start-shop.ts";
import { desktop } from "./viewports.ts";

const script = `/assets/${globSync("keep-session-*.js", { cwd: assetsFolder })[0]}`;
const due = { ren: -60, exp: 600 };
const fresh = { ren: 600, exp: 1800 };

describe("the session of a visitor", () => {
  const site = anySite;

  test("is renewed when it is time, by one of two tabs", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const other = await page.context().newPage();
    await setCookies(page, shop, site, { LoginToken: writeToken(due) });
    const renewals = await answerRenewals(page.context(), async (route) => {
      await setCookies(page, shop, site, { LoginToken: writeToken(fresh) });
      await route.fulfill({ status: 201, json: {} });
    });
    await Promise.all([showAndStart(page, shop, site), showAndStart(other, shop, site)]);
    await expect.poll(() => renewals.length).toBe(1);
    for (const tab of [page, other]) await act(tab);
    expect(renewals.map((route) => route.request().postData())).toEqual(["{}"]);
    expect(await renewals[0]?.request().headerValue("X-hunter-csrf")).toBeTruthy();
  });

  test("is looked for every ten seconds while there is none, without a request", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await page.clock.install();
    const renewals = await answerRenewals(page.context(), (route) => route.fulfill({ status: 200, json: {} }));
    const scripts = countScripts(page);
    await showHostPage(page, shop, { site });
    await act(page);
    await page.clock.runFor(60_000);
    expect([renewals.length, scripts()]).toEqual([0, 0]);

    await setCookies(page, shop, site, { LoginToken: writeToken({ ren: -60, exp: 86_400 }) });
    await page.clock.runFor(10_000);
    await expect.poll(() => renewals.length).toBe(1);
    expect(scripts()).toBe(1);
  });

  test("is looked for only while the tab is shown", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await page.clock.install();
    const renewals = await answerRenewals(page.context(), (route) => route.fulfill({ status: 200, json: {} }));
    const scripts = countScripts(page);
    await showHostPage(page, shop, { site });
    await setVisibility(page, "hidden");
    await setCookies(page, shop, site, { LoginToken: writeToken({ ren: -60, exp: 86_400 }) });
    await page.clock.runFor(60_000);
    expect([renewals.length, scripts()]).toEqual([0, 0]);
    await setVisibility(page, "visible");
    await expect.poll(() => renewals.length).toBe(1);
    await setVisibility(page, "visible");
    await waitUntilStarted(page);
    await act(page);
    expect(renewals, "the session has ended, so the upkeep has").toHaveLength(1);
  });

  test("is renewed by activity on the shop's own page, whatever the page does to events", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await setCookies(page, shop, site, { LoginToken: writeToken(fresh) });
    const renewals = await answerRenewals(page.context(), (route) => route.fulfill({ status: 200, json: {} }));
    await page.goto(shop.address(site));
    await waitUntilStarted(page);
    await page.evaluate(() => document.body.addEventListener("keydown", (event) => event.stopImmediatePropagation()));
    await page.evaluate(() =>
      document.documentElement.addEventListener("click", (event) => event.stopPropagation(), true),
    );
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await page.keyboard.press("Shift");
    expect(renewals).toHaveLength(0);
    await setCookies(page, shop, site, { LoginToken: writeToken(due) });
    await page.keyboard.press("Shift");
    await expect.poll(() => renewals.length).toBe(1);
    await act(page);
    expect(renewals, "the last renewal ends it, also on a page that came back").toHaveLength(1);
  });
});

async function setCookies(page: Page, shop: Shop, site: Site, cookies: Record<string, string>) {
  // The tokens belong to no account, so the customer service would reject them.
  await page.context().route("**/customers/*", (route) => route.fulfill({ json: {} }));
  const url = shop.address(site);
  await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })));
}

/**
 * @returns the requests for a new login token; the list grows
 */
async function answerRenewals(context: BrowserContext, answer: (route: Route) => Promise<void>): Promise<Route[]> {
  const renewals: Route[] = [];
  await context.route("**/newsletter-status", (route) => route.fulfill({ json: { status: "NONE" } }));
  await context.route("**/service/login/api/v1/logintoken/renew", async (route) => {
    renewals.push(route);
    await answer(route);
  });
  return renewals;
}

/**
 * @returns a function that counts the requests for the script that keeps sessions
 */
function countScripts(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.url().endsWith(script)) count += 1;
  });
  return () => count;
}

/** Shows a page, and waits until the upkeep of its session has started. */
async function showAndStart(page: Page, shop: Shop, site: Site) {
  await showHostPage(page, shop, { site });
  await waitUntilStarted(page);
}

/** The page has requested the script, so the upkeep has started once the script is loaded. */
async function waitUntilStarted(page: Page) {
  // A string, because Vitest would transform the import.
  await page.evaluate(`import("${script}")`);
}

/** Uses a page in every way, and waits for the answer if that leads to a renewal. */
async function act(page: Page) {
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("Shift");
  await page.mouse.wheel(0, 100);
  await page.evaluate(() => navigator.locks.request("storefront.session", () => {}));
}

async function setVisibility(page: Page, state: DocumentVisibilityState) {
  await page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value });
    Object.defineProperty(document, "hidden", { configurable: true, value: value === "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}
