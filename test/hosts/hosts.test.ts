import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Browser, Page } from "playwright";
import { afterAll, afterEach, beforeAll, describe, expect as expectFile, inject, it } from "vitest";
import { minute } from "../../client/rules/time.ts";
import { siteWith } from "../browser/chosen-sites.ts";
import { expect } from "../browser/expect.ts";
import { launchBrowser } from "../browser/launch-browser.ts";
import { fillInRequired, readyBlock } from "../browser/open-newsletter.ts";
import { expectStyledFooter } from "../browser/styled-footer.ts";
import { desktop } from "../browser/viewports.ts";
import { openWatchedPage, type WatchedPage } from "../browser/watched-page.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { type Replica, startReplica, stopProcesses } from "../support/start-process.ts";
import { type Host, installHost, startHost } from "./start-host.ts";

const document = "docs/include.md";
const site = siteWith((one) => one.site === "DE");
const otherSite = siteWith((one) => one.site === "PL");
const folders = globSync("examples/hosts/*/README.md")
  .map((file) => file.replace("/README.md", ""))
  .sort();

const columns = [
  "Nonce in its policy",
  "While the service is down",
  "After a click on a link",
  "HTML without the footer",
  "HTML with it",
] as const;
const rows = new Map<string, Record<(typeof columns)[number], string>>();

let browser: Browser;
let servicePort: string;
let service: Replica | undefined;
let host: Host | undefined;

beforeAll(async () => {
  browser = await launchBrowser(inject("browserPath"));
  servicePort = String(await findFreePort());
});
afterEach(stopService);
afterAll(async () => {
  await host?.stop();
  await browser.close();
  stopProcesses();
});

async function startService() {
  // A host that doesn't forward Host would get this site instead of that of its pages.
  service = await startReplica({ PORT: servicePort, DEFAULT_SITE: otherSite.site });
}

async function stopService() {
  await service?.kill();
  service = undefined;
}

/** Builds and starts the host of a folder in place of the one before, and opens its page. */
async function openHost(folder: string) {
  await host?.stop();
  host = undefined;
  host = await startHost(folder, `http://127.0.0.1:${servicePort}`);
  return openPage();
}

/** Opens the page of the host in a browser that has visited nothing before. */
async function openPage(): Promise<WatchedPage & { countBytes(): Promise<string> }> {
  const watched = await openWatchedPage(browser, desktop);
  const sizes: Promise<number>[] = [];
  watched.page.on("response", (response) => {
    const isHtml = response.request().isNavigationRequest() || response.url().includes("/fragments/");
    if (isHtml && response.ok()) sizes.push(response.body().then(({ length }) => length));
  });
  await watched.page.goto(`http://${site.localHost}:${host?.port}/`);
  const countBytes = async () => {
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    return `${(bytes / 1000).toFixed(1)} kB`;
  };
  return { ...watched, countBytes };
}

const footerOf = (page: Page) => page.locator("footer[data-fragment=footer]");

/** Expects the footer with every section, its style and a newsletter form that becomes ready when it is touched. */
async function expectFooter(page: Page) {
  const fragment = await (await fetch(`http://127.0.0.1:${servicePort}/fragments/footer/DE`)).text();
  const sections = [...fragment.matchAll(/data-section="([^"]+)"/g)].map(([, name]) => name);
  await expectStyledFooter(page);
  const shown = await footerOf(page)
    .locator("[data-section]")
    .evaluateAll((all) => all.map((section) => section.getAttribute("data-section")));
  expect(shown).toEqual(sections);
  return readyBlock(page);
}

/** Follows the host's own link to its other page. */
async function navigate(page: Page) {
  const title = await page.locator("h1").textContent();
  await page.locator('nav a[href="/about"]').click();
  await expect(page).toHaveURL(/\/about$/);
  await expect(page.locator("h1")).not.toHaveText(title ?? "");
}

/** Names what the page shows in place of the footer while the service is down, in the words of the document. */
async function placeIn(page: Page): Promise<string> {
  await expect(page.locator("h1")).toBeVisible();
  if (await footerOf(page).isVisible()) {
    await expectStyledFooter(page);
    return "the footer";
  }
  return (await page.locator('footer a[href="/imprint"]').isVisible()) ? "its fallback" : "nothing";
}

describe.each(folders)("%s", (folder) => {
  it("shows the footer under a strict policy, and lives without the service", { timeout: 8 * minute }, async () => {
    await installHost(folder);

    const without = await openHost(folder);
    const fallback = await placeIn(without.page);
    const bytesWithout = await without.countBytes();
    await navigate(without.page);
    await without.close();

    await startService();
    const { page, takeFaults, countBytes, close } = await openHost(folder);
    const block = await expectFooter(page);
    const bytesWith = await countBytes();
    const policy = await page.evaluate(async () => (await fetch("/")).headers.get("Content-Security-Policy"));
    expect(policy).toMatch(/default-src '(none|self)'/);
    expect(policy).not.toMatch(/unsafe|data:|https?:|\*/);
    const loginPage = await page.evaluate(async () => (await fetch("/login")).text());
    expect(loginPage).toMatch(new RegExp(`<html[^>]* lang="${site.locale}"`));
    await fillInRequired(block, site);
    await block.locator("[type=submit]").click();
    await expect(block.locator("[role=status]")).toContainText("anna@example.com");
    await footerOf(page).evaluate((element) => element.setAttribute("data-seen", ""));
    await navigate(page);
    const stays = await footerOf(page).evaluate((element) => element.hasAttribute("data-seen"));
    await expectFooter(page);
    expect(takeFaults()).toEqual([]);

    await close();

    await stopService();
    const again = await openPage();
    const kept = await placeIn(again.page);
    await again.close();

    rows.set(basename(folder), {
      "Nonce in its policy": policy?.includes("'nonce-") ? "yes" : "no",
      "While the service is down": fallback === kept ? kept : `${fallback}; with a copy: ${kept}`,
      "After a click on a link": stays ? "the same footer" : "the new page's footer",
      "HTML without the footer": bytesWithout,
      "HTML with it": bytesWith,
    });
  });
});

it("are listed with what they do", async () => {
  const cells = [...rows].map(([name, row]) => [
    `[${name}](../examples/hosts/${name}/)`,
    ...columns.map((column) => row[column]),
  ]);
  const lines = [["Host", ...columns], ["", ...columns].map(() => "---"), ...cells].map(
    (row) => `| ${row.join(" | ")} |`,
  );
  const text = readFileSync(document, "utf8");
  const written = text.replace(/(?<=<!-- hosts -->\n).*?(?=<!-- \/hosts -->)/s, `\n${lines.join("\n")}\n\n`);
  await expectFile(written).toMatchFileSnapshot(`../../${document}`);
});
