import { join } from "node:path";
import { type Browser, chromium, firefox, type LaunchOptions, webkit } from "playwright";

const engines = { chromium, firefox, webkit };

export type Engine = keyof typeof engines;

/**
 * Lets Chromium find every site on this machine, as the others do. One process for all pages of a context, whatever
 * their sites, loads them faster: otherwise each change of the site starts another.
 */
const options: Partial<Record<Engine, LaunchOptions>> = {
  chromium: {
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-site-isolation-trials",
      "--renderer-process-limit=1",
      "--host-resolver-rules=MAP *.localhost 127.0.0.1",
    ],
    env: { ...process.env, FONTCONFIG_FILE: join(import.meta.dirname, "fonts.conf") },
  },
};

/**
 * Starts a headless browser that finds every site on this machine.
 * @param changes - on top of what every test needs
 */
export function launchBrowser(engine: Engine, executablePath: string, changes: LaunchOptions = {}): Promise<Browser> {
  return engines[engine].launch({ executablePath, ...options[engine], ...changes });
}
