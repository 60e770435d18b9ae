import { join } from "node:path";
import { type Browser, chromium, type LaunchOptions } from "playwright";

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
