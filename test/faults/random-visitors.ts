import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import type { Browser, Page, Response } from "playwright";
import { minute, second } from "../../client/rules/time.ts";
import { findViolations } from "../browser/find-violations.ts";
import { launchBrowser } from "../browser/launch-browser.ts";
import { openWatchedPage } from "../browser/watched-page.ts";
import { type Replica, startReplica } from "../support/start-process.ts";
import { createStorePlace } from "../support/test-store.ts";
import { atLeast, none, type Proof, scaled } from "./proof.ts";
import { demoPassword, hosts, randomSteps, type Step, takeStep, windows } from "./random-steps.ts";

/** The number of visitors at a time. */
const atOnce = 2;
const stepsPerWalk = 25;
/** After one in this many steps axe checks the page, which takes longer than all other steps together. */
const stepsPerCheck = 8;

/**
 * Statuses that forms and the session expect, and explain to visitors. A busy service also sheds some requests by 503.
 */
const expectedStatus = /^(?:400|401|404|409|410|422|429|503): /;
/** Browsers report each failed response twice. This line comes with another one that has the status or the reason. */
const repeated = /^console error: Failed to load resource/;
/** Expected without a network, which is part of the walk. */
const offline = /ERR_INTERNET_DISCONNECTED/;

interface Walk {
  number: number;
  steps: Step[];
}

interface Found {
  faults: string[];
  steps: number;
  checks: number;
  /** Addresses whose sign-up the service has acknowledged. */
  acknowledged: Set<string>;
}

export const randomVisitors: Proof = {
  name: "random visitors",
  does: "Lets visitors walk at random through shop, sign-up, login and preview in Chromium: they press keys, click, enter valid and hostile texts, go back, reload, resize the window and lose the network. No page logs an error, breaks its policy or loses the focus, axe objects to nothing, and each acknowledged sign-up is stored and mailed.",
  async run(trial) {
    const { dataDir } = await createStorePlace();
    const service = await startReplica({ DATA_DIR: dataDir, DEMO: "on", DEMO_PASSWORD: demoPassword });
    const browser = await launchBrowser(trial.browserPath);
    // The short form stays below half a minute, even on a busy machine.
    const numRuns = trial.scale < 0.1 ? atOnce : scaled(200, trial);
    const walks = fc
      .sample(fc.array(randomSteps, { minLength: stepsPerWalk, maxLength: stepsPerWalk }), {
        seed: trial.seed,
        numRuns,
      })
      .map((steps, number): Walk => ({ number, steps }));
    const wanted = walks.length;
    const found: Found = { faults: [], steps: 0, checks: 0, acknowledged: new Set() };
    const work = async () => {
      for (let next = walks.shift(); next; next = walks.shift()) await walk(next, browser, service, found);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await browser.close();
    const lost = await findLost(dataDir, [...found.acknowledged]);
    await service.kill();
    const logged = service
      .stdout()
      .split("\n")
      .filter((line) => /"level":[56]0/.test(line));
    return [
      atLeast("steps", found.steps, (wanted * stepsPerWalk) / 2),
      atLeast("pages checked by axe", found.checks, wanted),
      atLeast("acknowledged sign-ups", found.acknowledged.size, Math.floor(wanted / 4)),
      none("faults", found.faults),
      none("errors in the log", logged),
      none("acknowledged sign-ups that are lost", lost),
    ];
  },
};

/** Takes the steps of one visitor, who comes from a network of their own. */
async function walk({ number, steps }: Walk, browser: Browser, { port }: Replica, found: Found) {
  const network = `10.9.${number >> 8}.${number & 255}`;
  const viewport = windows[number % windows.length] ?? null;
  const { page, takeFaults, close } = await openWatchedPage(browser, {
    viewport,
    extraHTTPHeaders: { "X-Forwarded-For": network },
  });
  page.setDefaultNavigationTimeout(minute);
  const context = page.context();
  const shop = `http://${hosts[number % hosts.length]}:${port}`;
  const trail: string[] = [];
  const tell = (fault: string) =>
    found.faults.push(`walk ${number}: ${fault} (${page.url()}, after ${trail.slice(-4).join(", ")})`);
  // Sites of others aren't part of the walk, and no test requests them.
  await context.route(
    ({ hostname, protocol }) => protocol.startsWith("http") && !hostname.endsWith(".localhost"),
    (route) => route.fulfill({ contentType: "text/html", body: "<title>Elsewhere</title>" }),
  );
  context.on("page", (tab) => tab.close());
  context.on("response", (response) => keepAcknowledged(response, found.acknowledged));
  page.on("dialog", (dialog) => {
    tell(`a dialog of the browser: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(shop);
  for (const [index, step] of steps.entries()) {
    const { did, fault } = await takeStep(page, step, { shop, name: `visitor-${number}-${index}` });
    if (!did) continue;
    trail.push(did);
    found.steps++;
    if (fault) tell(fault);
    if (index % stepsPerCheck === number % stepsPerCheck && page.url().startsWith(shop)) {
      // Until its style has come, a visitor sees nothing of a page.
      await page.waitForLoadState().catch(ignoreNavigation);
      await reloadUnstyled(page);
      const violations = await findViolations(page, undefined, false).catch(ignoreNavigation);
      for (const violation of violations ?? []) tell(`${page.url()}: ${violation}`);
      found.checks++;
    }
    for (const line of takeFaults()) if (!isExpected(line)) tell(line);
  }
  await close();
}

function isExpected(line: string): boolean {
  return expectedStatus.test(line) || repeated.test(line) || offline.test(line);
}

/** Reloads a page without its style, as visitors do: the network was off, or the service too busy for one file. */
async function reloadUnstyled(page: Page): Promise<void> {
  const isUnstyled = () =>
    [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].some((link) => !link.sheet);
  if (await page.evaluate(isUnstyled).catch(ignoreNavigation)) await page.reload().catch(ignoreNavigation);
}

/** A step may lead to another page during a check. */
export function ignoreNavigation(error: Error): undefined {
  if (!/navigation|context was destroyed|detached/i.test(error.message)) throw error;
}

function keepAcknowledged(response: Response, acknowledged: Set<string>) {
  const request = response.request();
  if (request.method() !== "POST") return;
  const { pathname } = new URL(request.url());
  if (pathname.endsWith("/newsletter-subscribers") && response.status() === 202)
    acknowledged.add(request.postDataJSON().email.trim().toLowerCase());
}

/** Lists the addresses without a sign-up in the store, or without an email within a while. */
async function findLost(dataDir: string, emails: readonly string[]): Promise<string[]> {
  // The folder of the emails comes with the first of them.
  if (emails.length === 0) return [];
  const database = new DatabaseSync(join(dataDir, "storefront.sqlite"), { readOnly: true });
  // An email for a mailbox that has just had one waits longer, by the limits.
  const queued = database.prepare(
    "select count(*) as count from mail_outbox where state = 'queued' and next_attempt_at <= ?",
  );
  for (const end = performance.now() + 2 * minute; queued.get(Date.now())?.count; )
    if (performance.now() > end) throw new Error("mails are queued after two minutes");
    else await pause(second / 10);
  const stored = database.prepare("select email from newsletter_subscription").all();
  database.close();
  const outbox = join(dataDir, "outbox");
  const mails = readdirSync(outbox).map((name) => readFileSync(join(outbox, name), "utf8"));
  const rows = new Set(stored.map(({ email }) => String(email).toLowerCase()));
  return emails.filter((email) => !rows.has(email) || !mails.some((mail) => mail.includes(`To: ${email}`)));
}
