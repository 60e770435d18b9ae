import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright";
import { patience } from "./expect.ts";
import { closeInTime } from "./launch-browser.ts";

export interface WatchedPage {
  page: Page;
  /** Returns everything that has gone wrong since the last call, one line each. */
  takeFaults(): string[];
  close(): Promise<void>;
}

/** Opens an empty page in a context of its own, and collects what goes wrong in it and in tabs that it opens. */
export async function openWatchedPage(browser: Browser, options: BrowserContextOptions): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience);
  const faults = watch(context);
  return {
    page: await context.newPage(),
    takeFaults: () => faults.splice(0),
    close: () => closeInTime(context),
  };
}

/** Chromium's error for a request that a navigation or the page itself has ended. */
const aborted = "net::ERR_ABORTED";

function watch(context: BrowserContext): string[] {
  const faults: string[] = [];
  context.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    faults.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => {
    faults.push(`uncaught: ${error.error().message}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    if (reason !== aborted) faults.push(`${reason}: ${request.url()}`);
  });
  return faults;
}
