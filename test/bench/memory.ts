import { setTimeout as pause } from "node:timers/promises";
import { second } from "../../client/rules/time.ts";
import { findSites } from "../../server/config/country-files.ts";
import { get, measureLoad } from "./measure-load.ts";
import { memoryOf } from "./process-figures.ts";
import { formatSummary, type Measure } from "./report.ts";
import { service, startServer, stopServers } from "./start-server.ts";
import { summarize, summarizeRatio } from "./summarize.ts";

const rounds = 3;
const rest = 3 * second;
const requests = 20_000;
/** The footers of all sites, and pages. */
const paths = [...findSites("countries").map((site) => `/fragments/footer/${site}`), "/subscribenewsletter", "/login"];
const rendering = { ...service, env: { ...service.env, RENDER_CACHE: "off" } };
const megabyte = 1e6;

/** Measures the resident memory of the service, after one footer and after many answers that were rendered each time. */
export const memory: Measure = {
  name: "memory",
  duration: rounds * (rest + 11 * second),
  async run() {
    const atRest: number[] = [];
    const afterLoad: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const server = await startServer(rendering, "/fragments/footer/DE");
      await pause(rest);
      atRest.push(memoryOf(server.pid) / megabyte);
      let asked = 0;
      await measureLoad(server, requests, () => get(server, paths[asked++ % paths.length] ?? ""));
      afterLoad.push(memoryOf(server.pid) / megabyte);
      stopServers();
    }
    return {
      figures: { memoryAtRest: summarize(atRest), memoryGrowth: summarizeRatio(afterLoad, atRest) },
      table: [
        ["memory", "MB"],
        ["at rest", formatSummary(summarize(atRest))],
        ["after load", formatSummary(summarize(afterLoad))],
      ],
    };
  },
};
