import type { Page } from "playwright";
import { describe } from "vitest";
import type { Site } from "../../../server/sites/countries.ts";
import { answerRequests } from "../answer-requests.ts";
import { centralEuropeanSite } from "../chosen-sites.ts";
import { expect } from "../expect.ts";
import { showHostPage } from "../host-page.ts";
import { address, answerSignUps, fillInRequired, readyBlock } from "../open-newsletter.ts";
import type { Shop } from "../start-shop.ts";
import { stillDesktop } from "../viewports.ts";
import { choosePreview, christmas, openPreview, panelOf, signIn, test } from "./open-preview.ts";

const assignment = "*/service/abtestfrontend/api/v1/getassignment";
const footer = "footer[data-fragment=footer]";
const mount = "[data-island=preview]";

describe("while staff preview the shop,", () => {
  const site = centralEuropeanSite;

  test("shoppers get what they got before, and nothing of the preview", async ({ newPage, shop }) => {
    const before = await visit(await newPage(stillDesktop), shop, site);
    await openPreview(await newPage(stillDesktop), shop, site, christmas);
    const meanwhile = await visit(await newPage(stillDesktop), shop, site);
    expect(meanwhile).toEqual(before);
    expect(before.files.filter((file) => /preview|\/global\./.test(file))).toEqual([]);
    expect(before.page + before.fragment).not.toMatch(/data-preview|sf-preview/);
  });

  test.for([
    ["are counted where nothing is previewed", undefined, ["sign_up"]],
    ["aren't where something is", christmas, []],
  ] as const)("their sign-ups %s, and each page asks for groups", async ([, choice, events], { newPage, shop }) => {
    const page = await newPage(stillDesktop);
    let asked = 0;
    await answerRequests(page, assignment, (request) => {
      asked += 1;
      return request.continue();
    });
    const sent = await answerSignUps(page);
    await openPreview(page, shop, site, choice);
    const block = await readyBlock(page);
    await fillInRequired(block, site);
    await block.locator("[type=submit]").click();
    await expect(block.getByRole("status").first()).toContainText(address);
    expect(sent).toHaveLength(1);
    expect(await page.evaluate(() => window.dataLayer ?? [])).toMatchObject(events.map((event) => ({ event })));
    await page.waitForLoadState("networkidle");
    expect(asked).toBe(1);
  });
});

describe("the preview panel", () => {
  const site = centralEuropeanSite;

  test.for([
    ["in the footer that has a place for it", "&preview=true", `${footer} > ${mount}`],
    ["at the page's end", "", `body > ${mount}`],
  ] as const)(
    "is shown once, %s, under a strict policy of a host page",
    async ([, query, place], { newPage, shop }) => {
      const page = await newPage(stillDesktop);
      await signIn(page, shop, site);
      await choosePreview(page, shop, site, christmas);
      const answer = await fetch(`${shop.listener}/fragments/footer?site=${site.site}${query}`);
      const html = await answer.text();
      await showHostPage(page, shop, { site, policy: "default-src 'self'", include: () => [html, html] });
      await expect(panelOf(page)).toContainText("Preview: 24 Dec 2026, 18:00 CET");
      await expect(page.locator(place)).toHaveCount(1);
      await expect(page.locator(mount)).toHaveCount(1);
      await expect(page.locator(mount)).toHaveAttribute("lang", "en");
      await expect(page.locator(mount)).toHaveAttribute("data-island-state", "ready");
    },
  );

  test("works in a browser without Temporal", async ({ newPage, shop }) => {
    const page = await newPage(stillDesktop);
    await page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, "Temporal");
    });
    const polyfill = page.waitForResponse(/\/assets\/global\.esm-\w+\.js$/);
    const panel = await openPreview(page, shop, site, christmas);
    expect((await polyfill).ok()).toBe(true);
    await expect(panel).toContainText("Preview: 24 Dec 2026, 18:00 CET footer-promotion: B");
    await expect(panel.getByRole("button", { name: "Next change: 30 Dec 2026, 00:00 CET" })).toBeVisible();
  });
});

/**
 * Collects everything that a shopper gets: the page, the footer and every file, without values that differ per request.
 */
async function visit(page: Page, shop: Shop, site: Site) {
  const files = recordFiles(page);
  const shown = await page.goto(shop.address(site));
  await page.waitForLoadState("networkidle");
  const fragment = await fetch(`${shop.listener}/fragments/footer?site=${site.site}`);
  return {
    page: String(await shown?.text()).replaceAll(/nonce="[^"]+"/g, ""),
    fragment: await fragment.text(),
    etag: fragment.headers.get("ETag"),
    files: files.toSorted(),
  };
}

/**
 * @returns the paths that a page requests; the list grows
 */
function recordFiles(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  return paths;
}
