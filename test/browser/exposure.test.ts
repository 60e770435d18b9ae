import type { Page } from "playwright";
import { describe } from "vitest";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { test } from "./shop-test.ts";
import type { Shop } from "./start-shop.ts";

const options = { viewport: { width: 800, height: 600 } };
const variant = "variant=footer-promotion:B";
const impression = { event: "experiment_impression", test: "footer-promotion", group: "B", emitter: "footer" };

/** Answers a host page with footers below a long text, and collects tracking events. */
async function offerPage(shop: Shop, queries: readonly string[], more = "") {
  const footers = await Promise.all(
    queries.map(async (query) => (await fetch(`${shop.listener}/fragments/footer/${anySite.site}?${query}`)).text()),
  );
  const address = shop.address(anySite, "/host");
  shop.answer(address, (_request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8").end(`<!doctype html><title>Host</title>
<script>heard = []; addEventListener("storefront:tracking", ({ detail }) => heard.push(detail))</script>
<body style="margin: 0">${more}<main style="height: 2000px"></main>${footers.join('<hr style="height: 2000px">')}`);
  });
  return address;
}

/** Scrolls so that a share of the window is filled by the page's first footer, and waits for two frames. */
function fillWindow(page: Page, share: number): Promise<void> {
  return page.evaluate(async (filled) => {
    const { top } = document.querySelector("footer")?.getBoundingClientRect() ?? { top: 0 };
    scrollBy({ top: top - innerHeight * (1 - filled), behavior: "instant" });
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  }, share);
}

const heardBy = (page: Page) =>
  page.evaluate(() => ({ window: Reflect.get(window, "heard"), dataLayer: Reflect.get(window, "dataLayer") ?? [] }));

const isWatched = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => /exposure-/.test(name))),
    )
    .toBe(true);

describe("the footer of a group of an A/B test", () => {
  test("is reported once it fills half of the window, and once per page", async ({ newPage, shop }) => {
    const page = await newPage(options);
    await page.goto(await offerPage(shop, [variant, variant]));
    await isWatched(page);
    await fillWindow(page, 0.45);
    expect(await heardBy(page)).toEqual({ window: [], dataLayer: [] });
    await fillWindow(page, 0.55);
    await expect.poll(() => heardBy(page)).toEqual({ window: [impression], dataLayer: [impression] });
    await page.evaluate(() => scrollTo(0, 0));
    await fillWindow(page, 1);
    await page.locator("footer").nth(1).scrollIntoViewIfNeeded();
    await fillWindow(page, 1);
    await page.evaluate(() => document.body.prepend(document.querySelector("footer")?.cloneNode(true) ?? ""));
    await fillWindow(page, 1);
    expect(await heardBy(page)).toEqual({ window: [impression], dataLayer: [impression] });
  });

  test("is reported once half of it is seen, in a window that it doesn't fill by half", async ({ newPage, shop }) => {
    const page = await newPage({ viewport: { width: 1600, height: 1900 } });
    await page.goto(await offerPage(shop, [`${variant}&reduced=true&newsletter=false`]));
    await isWatched(page);
    const scrollTo = (share: number) =>
      page.evaluate(async (seen) => {
        const { top = 0, height = 0 } = document.querySelector("footer")?.getBoundingClientRect() ?? {};
        scrollBy({ top: top + height * seen - innerHeight, behavior: "instant" });
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
        return height / innerHeight;
      }, share);
    expect(await scrollTo(0.4)).toBeLessThan(1);
    expect((await heardBy(page)).window).toEqual([]);
    await scrollTo(0.6);
    await expect.poll(() => heardBy(page)).toEqual({ window: [impression], dataLayer: [impression] });
  });

  test("isn't reported on a page with a staff preview", async ({ newPage, shop }) => {
    const page = await newPage(options);
    await page.goto(await offerPage(shop, [variant], "<div data-preview-context></div>"));
    await isWatched(page);
    await fillWindow(page, 1);
    expect(await heardBy(page)).toEqual({ window: [], dataLayer: [] });
  });

  test("is reported where a page inserts it later", async ({ newPage, shop }) => {
    const page = await newPage(options);
    await page.goto(await offerPage(shop, [variant]));
    await isWatched(page);
    await page.evaluate(() => {
      const footer = document.querySelector("footer");
      const copy = footer?.cloneNode(true);
      footer?.remove();
      if (copy) document.body.prepend(copy);
    });
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => heardBy(page)).toEqual({ window: [impression], dataLayer: [impression] });
  });
});

test("a footer without a variant, or with one that isn't active, loads nothing for this and reports nothing", async ({
  newPage,
  shop,
}) => {
  const page = await newPage(options);
  await page.goto(await offerPage(shop, ["", "variant=footer-promotion:C"]), { waitUntil: "networkidle" });
  await fillWindow(page, 1);
  expect(await heardBy(page)).toEqual({ window: [], dataLayer: [] });
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  expect(loaded.filter((name) => name.includes("exposure"))).toEqual([]);
});
