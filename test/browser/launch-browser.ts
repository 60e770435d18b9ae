import { type Browser, chromium, firefox, type LaunchOptions, webkit } from "playwright";

const engines = { chromium, firefox, webkit };

export type Engine = keyof typeof engines;

/** Lets Chromium find every site on this machine, as the others do. One process for all sites loads them faster. */
const options: Partial<Record<Engine, LaunchOptions>> = {
  chromium: {
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-site-isolation-trials",
      "--host-resolver-rules=MAP *.localhost 127.0.0.1",
    ],
  },
};

/** Starts a headless browser that finds every site on this machine. */
export function launchBrowser(engine: Engine, executablePath: string): Promise<Browser> {
  return engines[engine].launch({ executablePath, ...options[engine] });
}
