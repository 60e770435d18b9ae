import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright";
import type { TestProject } from "vitest/node";
import { installDebianPackages } from "../support/debian-packages.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of the browser's executable. */
    browserPath: string;
  }
}

/** Runs once before the browser tests. Throws if there is no Chromium, so that the run fails. */
export function setup(project: TestProject): void {
  project.provide("browserPath", findBrowser());
}

/** Chromium without the parts that show a window. The tests take a third less processor time with it. */
const headlessShell = "chromium-headless-shell";
const systemNames = [headlessShell, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Finds a Chromium: the system's, or else Playwright's. If there is neither, installs Playwright's, or else Debian's
 * package.
 * @returns path of the executable
 * @throws Error if all of this fails, so that no run passes without its browser suites
 */
function findBrowser(): string {
  const found = systemBrowser() ?? playwrightBrowser() ?? installPlaywrightBrowser() ?? installDebianBrowser();
  if (!found) {
    throw new Error(
      "The browser tests need Chromium, and none could be found or installed (tried: Playwright's own, Debian's package). " +
        "Install one as chromium or google-chrome on the PATH, or with `npx --prefix test playwright install --with-deps chromium`.",
    );
  }
  return found;
}

function systemBrowser(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"].filter(Boolean);
  return systemNames.flatMap((name) => folders.map((folder) => join(folder, name))).find(runs);
}

function playwrightBrowser(): string | undefined {
  return [chromium.executablePath()].find(runs);
}

function installPlaywrightBrowser(): string | undefined {
  const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "15000" };
  const options = ["--prefix", "test", "playwright", "install", "chromium", "--no-shell"];
  console.log(`tests: npx ${options.join(" ")}`);
  spawnSync("npx", options, { env, stdio: "inherit", timeout: 300_000 });
  return playwrightBrowser();
}

function installDebianBrowser(): string | undefined {
  return installDebianPackages(headlessShell) ? systemBrowser() : undefined;
}

/** A name on the PATH may be a stub, and a downloaded browser may lack system libraries. */
function runs(path: string): boolean {
  return existsSync(path) && spawnSync(path, ["--version"], { timeout: 30_000 }).status === 0;
}
