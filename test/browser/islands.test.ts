import type { Page } from "playwright";
import { describe } from "vitest";
import { answerRequests } from "./answer-requests.ts";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { test } from "./shop-test.ts";

const desktop = { viewport: { width: 1280, height: 600 } };

/** The states of all islands of the page, in its order. */
const statesOf = (page: Page) =>
  page
    .locator("[data-island]")
    .evaluateAll((islands) => islands.map((island) => (island as HTMLElement).dataset.islandState));

describe("an island", () => {
  test("that acts for everybody is hydrated 300 px before it is seen", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await page.goto(`${shop.listener}/widgets/button`);
    const last = page.locator("[data-island]").last();
    await last.evaluate(scrollUntilBelow, 350);
    await expect(last).toHaveAttribute("data-island-state", "idle");
    await last.evaluate(scrollUntilBelow, 250);
    await expect(last).toHaveAttribute("data-island-state", "ready");
    expect(await statesOf(page)).toContain("idle");
  });

  test("that isn't shown loads nothing", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const scripts: string[] = [];
    page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
    const address = `${shop.listener}/widgets/button`;
    await page.route(address, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('data-island="', 'hidden data-island="');
      await route.fulfill({ response, body });
    });
    await page.goto(address, { waitUntil: "networkidle" });
    await page.mouse.wheel(0, 100_000);
    await page.locator("#content").scrollIntoViewIfNeeded();
    expect(new Set(await statesOf(page))).toEqual(new Set(["idle"]));
    expect(scripts.filter((url) => /hydrate|Example/.test(url))).toEqual([]);
  });

  test("loads its code when the pointer reaches it, and is hydrated when it gets the focus", async ({
    newPage,
    shop,
  }) => {
    const page = await newPage(desktop);
    const files = countFiles(page);
    await page.goto(shop.address(anySite), { waitUntil: "networkidle" });
    const island = page.locator("[data-island=newsletter]");
    await island.scrollIntoViewIfNeeded();
    await page.locator("h1").hover();
    expect(files()).toEqual([]);

    await island.getByRole("heading").hover();
    await island.locator("[name=email]").hover();
    await expect.poll(files).toEqual(islandFiles);
    await page.waitForLoadState("networkidle");
    await expect(island).toHaveAttribute("data-island-state", "idle");

    await island.locator("[name=email]").focus();
    await expect(island).toHaveAttribute("data-island-state", "ready");
    expect(files()).toEqual(islandFiles);
  });

  test("loads its code when a finger touches it", async ({ newPage, shop }) => {
    const page = await newPage({ viewport: { width: 390, height: 800 }, hasTouch: true });
    const files = countFiles(page);
    await page.goto(shop.address(anySite), { waitUntil: "networkidle" });
    const heading = page.locator("[data-island=newsletter]").getByRole("heading");
    await heading.scrollIntoViewIfNeeded();
    expect(files()).toEqual([]);
    const { x = 0, y = 0 } = (await heading.boundingBox()) ?? {};
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x + 5, y: y + 5 }] });
    await expect.poll(files).toEqual(islandFiles);
    await expect(page.locator("[data-island=newsletter]")).toHaveAttribute("data-island-state", "idle");
  });
});

/** The files that a newsletter island needs, each once: its code, React and its texts. */
const islandFiles = ["NewsletterBlock", "hydrate", "newsletter"];

/**
 * @returns a function that lists the island files requested so far, sorted
 */
function countFiles(page: Page): () => string[] {
  const names: string[] = [];
  page.on("request", (request) => {
    const [, name] = /\/assets\/(hydrate|\w+Block|newsletter)-.*\.js(?:on)?$/.exec(request.url()) ?? [];
    if (name) names.push(name);
  });
  return () => names.toSorted();
}

describe("an island whose component throws", () => {
  test("keeps what was typed, and the focus", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(desktop);
    await answerRequests(page, "*/assets/newsletter-*.json", (request) => request.fulfill({ json: {} }));
    await page.goto(shop.address(anySite));
    const island = page.locator("[data-island=newsletter]");
    await island.locator("[name=email]").fill("anna@example.com");
    await expect(island).toHaveAttribute("data-island-state", "failed");
    await expect(island.locator("[name=email]")).toHaveValue("anna@example.com");
    await expect(island.locator("[name=email]")).toBeFocused();
  });
});

/**
 * Runs in the page: scrolls until an element is a certain distance below the window, and waits until observers have
 * noticed.
 */
async function scrollUntilBelow(element: HTMLElement | SVGElement, distance: number) {
  const { top } = element.getBoundingClientRect();
  scrollBy({ top: top - innerHeight - distance, behavior: "instant" });
  for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
}
