import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { minute, second } from "../../client/rules/time.ts";
import { findBrowser } from "../browser/find-browser.ts";
import { startProcess } from "../support/start-process.ts";
import { installPeers } from "./build-peers.ts";
import type { Measure } from "./measure.ts";
import { summarize } from "./summarize.ts";

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
  duration: 90 * second,
  async run() {
    await installPeers();
    const shop = startProcess({ HOST: "127.0.0.1" });
    const origin = `http://de.localhost:${await shop.port}`;
    try {
      const home = await report(`${origin}/`);
      const login = await report(`${origin}/login`);
      return {
        figures: {
          shopPerformance: points(home, "performance"),
          shopAccessibility: points(home, "accessibility"),
          shopBestPractices: points(home, "best-practices"),
          shopSeo: points(home, "seo"),
          shopShift: value(home, "cumulative-layout-shift"),
          shopBlocking: value(home, "total-blocking-time"),
          loginPerformance: points(login, "performance"),
          loginAccessibility: points(login, "accessibility"),
          loginBestPractices: points(login, "best-practices"),
          loginSeo: points(login, "seo"),
          loginShift: value(login, "cumulative-layout-shift"),
          loginBlocking: value(login, "total-blocking-time"),
        },
        table: [
          ["", "what isn't perfect"],
          ["shop page", faultsOf(home)],
          ["login", faultsOf(login)],
        ],
      };
    } finally {
      shop.signal("SIGKILL");
      await shop.ended;
    }
  },
};

async function report(url: string): Promise<Report> {
  const words = [url, "--quiet", "--output=json", "--chrome-flags=--headless --no-sandbox"];
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...words], {
    env: { ...process.env, CHROME_PATH: findBrowser("chromium") },
    maxBuffer: 64 * 1024 ** 2,
    timeout: minute,
  });
  return JSON.parse(stdout);
}

function points({ categories }: Report, name: Category) {
  return summarize([(categories[name].score ?? Number.NaN) * 100]);
}

function value({ audits }: Report, name: "cumulative-layout-shift" | "total-blocking-time") {
  return summarize([audits[name]?.numericValue ?? Number.NaN]);
}

/** Lists the audits that count and aren't passed in full. */
function faultsOf({ categories, audits }: Report): string {
  const counting = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  const faults = counting.flatMap(({ id }) => {
    const { title = id, score = null } = audits[id] ?? {};
    return score !== null && score < 1 ? [`${title}: ${score}`] : [];
  });
  return faults.join("; ");
}
