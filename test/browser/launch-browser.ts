import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Browser, chromium, type LaunchOptions } from "playwright";
import { type Milliseconds, second } from "../../client/rules/time.ts";

/**
 * One process for all pages of a context, whatever their sites, loads them faster: otherwise each change of the site
 * starts another.
 */
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-site-isolation-trials",
  "--renderer-process-limit=1",
  "--host-resolver-rules=MAP *.localhost 127.0.0.1",
];

const env = { ...process.env, FONTCONFIG_FILE: join(import.meta.dirname, "fonts.conf") };

/**
 * Starts a headless Chromium that finds every site on this machine.
 * @param changes - on top of what every test needs
 */
export function launchBrowser(executablePath: string, changes: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ executablePath, args, env, ...changes });
}

/** Longest time for a page or a browser to close. */
const closing: Milliseconds = 20 * second;

/**
 * Closes the context of a page, or a browser, and leaves one that hangs to the end of the process: a clean-up has no limit
 * of time, and Debian's full Chromium was seen to close a page never.
 */
export async function closeInTime(opened: Pick<Browser, "close">): Promise<void> {
  await Promise.race([opened.close(), pause(closing, undefined, { ref: false })]);
}

/**
 * Opens a page in a headless Chromium that nobody drives: it prerenders nothing in a page that Playwright is attached to.
 * @returns a function that ends the browser
 */
export async function openUndriven(executablePath: string, address: string): Promise<() => Promise<void>> {
  const profile = await mkdtemp(join(tmpdir(), "browser-"));
  // Without the debugging port, a shell that has loaded its page may end.
  const own = ["--headless", "--remote-debugging-port=0", "--no-first-run", `--user-data-dir=${profile}`];
  // In a process group of its own: on Debian the executable is a script that starts the browser.
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
