import { second } from "../../client/rules/time.ts";
import { formatSummary } from "./format-table.ts";
import type { Measure } from "./measure.ts";
import { connections, measureLoad } from "./measure-load.ts";
import { openLoop } from "./open-loop.ts";
import { service, startServer } from "./start-server.ts";
import { percentile, summarize, summarizeRatio } from "./summarize.ts";

const path = "/fragments/footer/DE";
const rounds = 5;
const roundTime = 4 * second;
const ofPeak = 0.8;

/** Measures how long the slowest footers take when the service has most of the load that it can bear. */
export const footerLatency: Measure = {
  name: "latency",
  duration: 40 * second,
  async run() {
    const server = await startServer(service, path);
    const peaks: number[] = [];
    const p50: number[] = [];
    const p99: number[] = [];
    await measureLoad(server, [path], 2 * second);
    for (let round = 0; round < rounds; round++) {
      const { requestsPerSecond } = await measureLoad(server, [path], 2 * second);
      const perSecond = ofPeak * requestsPerSecond;
      const times = await openLoop(`${server.origin}${path}`, { perSecond, duration: roundTime, connections });
      peaks.push(requestsPerSecond);
      p50.push(percentile(times, 0.5));
      p99.push(percentile(times, 0.99));
    }
    // At its peak, every connection always waits for an answer. Who takes longer at less has a queue, not a tail.
    const { median: peak } = summarize(peaks);
    if (summarize(p50).median > (connections / peak) * second)
      throw new Error(`the service can't bear ${ofPeak * 100} % of its peak for long: the machine is busy`);
    return {
      figures: { tail: summarizeRatio(p99, p50) },
      table: [
        ["", "peak (requests/s)", "p50 (ms)", "p99 (ms)"],
        [`footer, ${ofPeak * 100} % of the peak`, ...[peaks, p50, p99].map((all) => formatSummary(summarize(all)))],
      ],
    };
  },
};
