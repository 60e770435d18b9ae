import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, Page } from "playwright";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { assetsFolder } from "../../server/root.ts";
import { findBrowser } from "../browser/find-browser.ts";
import { launchBrowser } from "../browser/launch-browser.ts";
import { startProcess } from "../support/start-process.ts";
import type { Measure } from "./measure.ts";
import { summarize } from "./summarize.ts";

const kilobyte = 1000;
const quiet: Milliseconds = 2 * second;
const newsletter = "footer [data-section=newsletter]";
const email = `${newsletter} input[type=email]`;
const rounds = 5;
/** Chromium's "Slow 4G", with what it takes off for each request, and a phone's processor. */
const slowPhone = { latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375, cpu: 4 };

/**
 * Measures what script a shopper's browser loads: who reads the footer, and who then enters the newsletter's form. And
 * how long a slow phone takes from that touch until the form listens.
 */
export const browserScript: Measure = {
  name: "script",
  duration: 45 * second,
  async run() {
    const shop = startProcess({ HOST: "127.0.0.1" });
    const port = await shop.port;
    const browser = await launchBrowser(findBrowser());
    try {
      const page = await browser.newPage();
      const scripts = recordScripts(page);
      await page.goto(`http://de.localhost:${port}/`);
      await page.locator("footer").last().scrollIntoViewIfNeeded();
      await page.mouse.wheel(0, 1e6);
      await page.waitForLoadState("networkidle");
      await untilSettled(scripts);
      const untouched = [...scripts];
      await page.locator(email).click();
      await untilSettled(scripts);
      await page.close();
      const waits: number[] = [];
      for (let round = 0; round < rounds; round++) waits.push(await touchOnSlowPhone(browser, port));
      const beside = untouched.filter((name) => !name.startsWith("boot-"));
      return {
        figures: {
          scriptUntouched: summarize([gzipOf(beside)]),
          scriptTouched: summarize([gzipOf(scripts)]),
          touchWait: summarize(waits),
        },
        table: [
          ["", "scripts"],
          ["untouched", namesOf(untouched)],
          ["touched", namesOf(scripts)],
        ],
      };
    } finally {
      await browser.close();
      shop.signal("SIGKILL");
      await shop.ended;
    }
  },
};

/** Gives the time from the first touch of the newsletter's form until it listens, on a phone that has nothing kept. */
async function touchOnSlowPhone(browser: Browser, port: number): Promise<Milliseconds> {
  const context = await browser.newContext({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(`http://de.localhost:${port}/`, { waitUntil: "networkidle" });
  await page.locator(email).scrollIntoViewIfNeeded();
  const devtools = await context.newCDPSession(page);
  const { cpu, ...network } = slowPhone;
  await devtools.send("Network.emulateNetworkConditions", { offline: false, ...network });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpu });
  const wait = page.locator("[data-island=newsletter]").evaluate(timeOfTouch);
  await page.locator(email).tap();
  try {
    return await wait;
  } finally {
    await context.close();
  }
}

/** In the page: resolves with the time from the focus of a field until the island listens. */
function timeOfTouch(island: HTMLElement | SVGElement): Promise<number> {
  return new Promise((resolve) => {
    let start = 0;
    island.addEventListener("focusin", () => {
      start = performance.now();
    });
    new MutationObserver(() => {
      if (island.dataset.islandState === "ready") resolve(performance.now() - start);
    }).observe(island, { attributeFilter: ["data-island-state"] });
  });
}

/** Gives the names of the scripts that the page loads, as they come. */
function recordScripts(page: Page): Set<string> {
  const names = new Set<string>();
  page.on("request", (request) => {
    if (request.resourceType() === "script") names.add(basename(new URL(request.url()).pathname));
  });
  return names;
}

/** Resolves when no script has come for a while. */
async function untilSettled(scripts: ReadonlySet<string>): Promise<void> {
  let known: number;
  do {
    known = scripts.size;
    await pause(quiet);
  } while (scripts.size > known);
}

/** Names scripts without their hashes; the chunks that several share have one name. */
function namesOf(scripts: Iterable<string>): string {
  return [...new Set([...scripts].map((name) => name.replace(/-\w+\.js$/, "")))].join(", ");
}

/** Gives what scripts weigh on their way, in kilobytes. */
function gzipOf(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + statSync(join(assetsFolder, `${name}.gz`)).size, 0) / kilobyte;
}
