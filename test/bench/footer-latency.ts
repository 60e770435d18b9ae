import { type Milliseconds, second } from "../../client/rules/time.ts";
import { formatSummary } from "./format-table.ts";
import type { Measure } from "./measure.ts";
import { connections } from "./measure-load.ts";
import { onOwnCores } from "./on-own-cores.ts";
import { openLoop, peakOf } from "./open-loop.ts";
import { type RunningServer, service, startServer } from "./start-server.ts";
import { percentile, summarize, summarizeRatio } from "./summarize.ts";

const path = "/fragments/footer/DE";
const rounds = 5;
const warmUp = 3 * second;
const roundTime = 2 * second;
const ofPeak = 0.8;

interface Round {
  peak: number;
  p50: Milliseconds;
  p99: Milliseconds;
}

/** Measures how long the slowest footers take when the service has most of the load that it can bear. */
export const footerLatency: Measure = {
  name: "latency",
  duration: 40 * second,
  async run() {
    const server = await startServer(service, path);
    const measured = await onOwnCores(server.pid, () => measureRounds(server));
    const all = (figure: keyof Round) => measured.map((round) => round[figure]);
    return {
      figures: { tail: summarizeRatio(all("p99"), all("p50")) },
      table: [
        ["", "peak (requests/s)", "p50 (ms)", "p99 (ms)"],
        [
          `footer, ${ofPeak * 100} % of the peak`,
          ...(["peak", "p50", "p99"] as const).map((figure) => formatSummary(summarize(all(figure)))),
        ],
      ],
    };
  },
};

async function measureRounds({ origin }: RunningServer): Promise<Round[]> {
  const url = `${origin}${path}`;
  const measured: Round[] = [];
  await peakOf(url, { duration: warmUp, connections });
  for (let round = 0; round < rounds; round++) {
    const peak = await peakOf(url, { duration: roundTime, connections });
    const times = await openLoop(url, { perSecond: ofPeak * peak, duration: roundTime, connections });
    measured.push({ peak, p50: percentile(times, 0.5), p99: percentile(times, 0.99) });
  }
  return measured;
}
