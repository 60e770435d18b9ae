import { afterAll } from "vitest";
import { startProcess, stopProcesses } from "../support/start-process.ts";
import { expect } from "./expect.ts";
import { findOverflows } from "./find-overflows.ts";
import { findViolations } from "./find-violations.ts";
import { loadEverything } from "./load-everything.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

const password = "correct horse battery staple";
const service = startProcess({ SHOP_DIR: "examples/maestral", DEMO: "on", DEMO_PASSWORD: password });
afterAll(stopProcesses);

test.for(["gr", "hr"])(
  "the site %s of a foreign shop has no fault on its pages, at 375 and 1280 px",
  async (site, { newPage }) => {
    const page = await newPage(desktop);
    const sprites = new Set<string>();
    page.on("request", (request) => request.url().includes("/icons-") && sprites.add(request.url()));
    for (const path of ["/", "/login"]) {
      await page.goto(`http://${site}.localhost:${await service.port}${path}`);
      await expect(page.getByRole("img", { name: "Maestral" })).toBeVisible();
      await page.evaluate(() => document.fonts.ready);
      const fonts = await page.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`));
      expect(fonts).toContain("sf-Manrope loaded");
      for (const width of [1280, 375]) {
        await page.setViewportSize({ width, height: 900 });
        await loadEverything(page);
        expect(await page.evaluate(findOverflows), `${path} at ${width} px`).toEqual([]);
      }
      if (path === "/") expect(await findViolations(page)).toEqual([]);
    }
    expect(sprites.size).toBe(1);
  },
);
