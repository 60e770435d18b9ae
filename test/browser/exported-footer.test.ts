import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { runCommand } from "../support/run-command.ts";
import { startProcess, stopProcesses } from "../support/start-process.ts";
import { expect } from "./expect.ts";
import { findOverflows } from "./find-overflows.ts";
import { findViolations } from "./find-violations.ts";
import { loadEverything } from "./load-everything.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

const service = startProcess({ DEMO: "on" });
const folder = await mkdtemp(join(tmpdir(), "export-"));

/** The shop's sites as the browser reaches them. */
const originOf = async (site: string) => `http://${site.toLowerCase()}.localhost:${await service.port}`;

/** A help centre on another host: it allows the two sources that the documents name, and nothing else. */
const helpCentre = createServer(async ({ url = "" }, response) => {
  const site = url.slice(1);
  const origin = await originOf(site);
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.setHeader("Content-Security-Policy", `default-src 'none'; style-src ${origin}; img-src ${origin}`);
  const footer = await readFile(join(folder, site, "footer.html"), "utf8");
  response.end(`<!DOCTYPE html><html lang="en"><meta name="viewport" content="width=device-width"><title>Help</title>
    <main><h1>Help</h1></main>${footer}</html>`);
});

beforeAll(async () => {
  helpCentre.listen(0, "127.0.0.1");
  await once(helpCentre, "listening");
  const ended = await runCommand({ PORT: String(await service.port) }, "export", folder);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
});

afterAll(async () => {
  helpCentre.close();
  await stopProcesses();
  await rm(folder, { recursive: true });
});

/** Requests a page of the shop, as a visitor who follows a link. Node itself doesn't resolve its hosts. */
async function statusOf(address: string): Promise<number | undefined> {
  const { host, port, pathname, search } = new URL(address);
  const path = pathname + search;
  const request = get({ host: "127.0.0.1", port, path, headers: { host, accept: "text/html" } });
  const [response]: IncomingMessage[] = await once(request, "response");
  response?.resume();
  return response?.statusCode;
}

// A fault of a page, such as a violation of its policy, fails the test.
test.for(["DE", "PL", "TR"])(
  "the exported footer of %s on a page of another host is styled, with its icons, and leads to the shop",
  async (site, { newPage }) => {
    const page = await newPage(desktop);
    const origin = await originOf(site);
    const { port } = helpCentre.address() as AddressInfo;
    for (const { viewport } of [desktop, phone]) {
      await page.setViewportSize(viewport);
      await page.goto(`http://127.0.0.1:${port}/${site}`);
      await loadEverything(page);
      const isWide = viewport === desktop.viewport;
      const columns = page.locator("[data-section=teasers]");
      await expect(columns).toHaveCSS("display", "grid");
      await expect(columns.locator("summary").first()).toBeVisible({ visible: !isWide });
      if (isWide) await page.locator("[data-section=country-switcher] summary").click();
      else await columns.locator("summary").first().click();

      const drawn = await page.locator("svg:visible").evaluateAll((icons) =>
        icons.map((icon) => {
          const { width, height } = icon.getBoundingClientRect();
          const shapes = [...icon.querySelectorAll("path, rect, circle")].filter((shape) => {
            const box = shape.getBoundingClientRect();
            const { fill, stroke } = getComputedStyle(shape);
            return box.width + box.height > 0 && [fill, stroke].some((paint) => paint !== "none");
          });
          return { size: `${Math.round(width)}x${Math.round(height)}`, isDrawn: shapes.length > 0 };
        }),
      );
      expect(drawn.length).toBeGreaterThan(isWide ? 20 : 15);
      expect(new Set(drawn.map(({ isDrawn }) => isDrawn))).toEqual(new Set([true]));
      expect(new Set(drawn.map(({ size }) => size))).toEqual(new Set(isWide ? ["24x24", "24x16", "16x16"] : ["24x24"]));
      expect(await page.evaluate(findOverflows)).toEqual([]);
      expect(await findViolations(page, undefined, isWide)).toEqual([]);
    }

    const addresses = await page
      .locator("a")
      .evaluateAll((links) => links.map((link) => (link instanceof HTMLAnchorElement ? link.href : "")));
    const own = [...new Set(addresses)].filter((address) => new URL(address).host.includes(".localhost"));
    expect(own.filter((address) => address.startsWith(origin)).length).toBeGreaterThan(20);
    expect(own.length).toBeGreaterThan(30);
    for (const address of own) expect(await statusOf(address), address).toBe(200);
    await page.locator("a[data-consent]").click();
    await expect(page).toHaveURL(new RegExp(`^${origin}/`));
  },
);
