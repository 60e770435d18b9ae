import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { minute, second } from "../../client/rules/time.ts";
import { findBrowser } from "../browser/find-browser.ts";
import { startProcess } from "../support/start-process.ts";
import { installPeers } from "./build-peers.ts";
import type { Measure } from "./measure.ts";
import { type Summary, summarize } from "./summarize.ts";

const rounds = 3;
const cli = "test/bench/peers/node_modules/lighthouse/cli/index.js";

type Category = "performance" | "accessibility" | "best-practices" | "seo";

/** What of a report is read. */
interface Report {
  categories: Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null; numericValue?: number }>;
}

/** Asks Lighthouse, with its mobile profile, what it thinks of the demo's shop page and login. */
export const lighthouse: Measure = {
  name: "lighthouse",
  duration: 100 * second,
  async run() {
    await installPeers();
    const shop = startProcess({ HOST: "127.0.0.1" });
    const origin = `http://de.localhost:${await shop.port}`;
    const home: Report[] = [];
    const login: Report[] = [];
    try {
      for (let round = 0; round < rounds; round++) {
        home.push(await report(`${origin}/`));
        login.push(await report(`${origin}/login`));
      }
    } finally {
      shop.signal("SIGKILL");
      await shop.ended;
    }
    return {
      figures: {
        shopPerformance: points(home, "performance"),
        shopAccessibility: points(home, "accessibility"),
        shopBestPractices: points(home, "best-practices"),
        shopSeo: points(home, "seo"),
        shopShift: medianOf(home, "cumulative-layout-shift"),
        shopBlocking: medianOf(home, "total-blocking-time"),
        loginPerformance: points(login, "performance"),
        loginAccessibility: points(login, "accessibility"),
        loginBestPractices: points(login, "best-practices"),
        loginSeo: points(login, "seo"),
        loginShift: medianOf(login, "cumulative-layout-shift"),
        loginBlocking: medianOf(login, "total-blocking-time"),
      },
      table: [
        ["", "what isn't perfect"],
        ["shop page", faultsOf(home)],
        ["login", faultsOf(login)],
      ],
    };
  },
};

async function report(url: string): Promise<Report> {
  const words = [url, "--quiet", "--output=json", "--chrome-flags=--headless --no-sandbox"];
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...words], {
    env: { ...process.env, CHROME_PATH: findBrowser() },
    maxBuffer: 64 * 1024 ** 2,
    timeout: minute,
  });
  return JSON.parse(stdout);
}

function points(reports: readonly Report[], name: Category): Summary {
  return summarize(reports.map(({ categories }) => (categories[name].score ?? Number.NaN) * 100));
}

function medianOf(reports: readonly Report[], name: "cumulative-layout-shift" | "total-blocking-time"): Summary {
  return summarize(reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN));
}

/** Lists the audits that count and weren't passed in full each time. */
function faultsOf(reports: readonly Report[]): string {
  const faults = reports.flatMap(({ categories, audits }) =>
    Object.values(categories)
      .flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0))
      .flatMap(({ id }) => ((audits[id]?.score ?? 1) < 1 ? [audits[id]?.title ?? id] : [])),
  );
  return [...new Set(faults)].join("; ");
}
