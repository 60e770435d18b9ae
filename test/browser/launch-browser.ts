import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Browser, chromium, type LaunchOptions } from "playwright";
import { type Milliseconds, second } from "../../client/rules/time.ts";

/**
 * Features of Chromium that are off. Chromium reads only the last such list, so this one repeats what the tests need of
 * Playwright's.
 */
const features = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  // It builds a new frame for each document, which costs a fifth of a page's processor time.
  "RenderDocument",
];

/**
 * Pages load faster with few processes: one for all pages of a context, where each change of the site would start
 * another, and one for the browser and its drawing.
 */
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--in-process-gpu",
  `--disable-features=${features}`,
  "--disable-site-isolation-trials",
  "--renderer-process-limit=1",
  "--host-resolver-rules=MAP *.localhost 127.0.0.1",
];

const env = { ...process.env, FONTCONFIG_FILE: join(import.meta.dirname, "fonts.conf") };

/**
 * Starts a headless Chromium that resolves every site to this machine.
 * @param changes - options in addition to those of every test
 */
export function launchBrowser(executablePath: string, changes: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ executablePath, args, env, ...changes });
}

/** The maximum time for closing a page or a browser. */
const closing: Milliseconds = 20 * second;

/**
 * Closes the context of a page, or a browser. If it hangs, leaves it to the end of the process: a clean-up has no time
 * limit, and Debian's full Chromium sometimes never closes a page.
 */
export async function closeInTime(opened: Pick<Browser, "close">): Promise<void> {
  await Promise.race([opened.close(), pause(closing, undefined, { ref: false })]);
}

/**
 * Opens a page in a headless Chromium without Playwright, because Chromium prerenders nothing in a page that Playwright
 * is attached to.
 * @returns a function that ends the browser
 */
export async function openUndriven(executablePath: string, address: string): Promise<() => Promise<void>> {
  const profile = await mkdtemp(join(tmpdir(), "browser-"));
  // Without the debugging port, a headless shell may exit after loading its page.
  const own = ["--headless", "--remote-debugging-port=0", "--no-first-run", `--user-data-dir=${profile}`];
  // In a process group of its own, because Debian's executable is a script that starts the browser.
  const browser = spawn(executablePath, [...args, ...own, address], { detached: true, env, stdio: "ignore" });
  await once(browser, "spawn");
  return async () => {
    const ended = once(browser, "exit");
    if (browser.exitCode === null && browser.pid !== undefined) {
      process.kill(-browser.pid, "SIGKILL");
      await ended;
    }
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
}
