import { type Milliseconds, second } from "../../client/rules/time.ts";
import { installPeers, peers } from "./build-peers.ts";
import { formatSummary } from "./format-table.ts";
import type { Measure } from "./measure.ts";
import { connections } from "./measure-load.ts";
import { onOwnCores } from "./on-own-cores.ts";
import { openLoop, peakOf } from "./open-loop.ts";
import { type RunningServer, service, startServer } from "./start-server.ts";
import { percentile, type Summary, summarize, summarizeRatio } from "./summarize.ts";

const path = "/fragments/footer/DE";
const roundCount = 5;
const warmUp = 3 * second;
const roundTime = 2 * second;
const ofPeak = 0.8;

interface Round {
  peak: number;
  p50: Milliseconds;
  p99: Milliseconds;
}

/**
 * Measures how long the slowest footers take when the service has most of the load that it can bear; and the same of
 * Express with constant bytes, which shows how much of it is Node's and the machine's.
 */
export const footerLatency: Measure = {
  name: "latency",
  duration: 50 * second,
  async run() {
    await installPeers();
    const footer = await startServer(service, path);
    const constant = await startServer({ ...peers.constant, env: { SOURCE: `${footer.origin}${path}` } }, path);
    const rounds = { footer: [] as Round[], constant: [] as Round[] };
    for (const server of [footer, constant])
      await load(server, (url) => peakOf(url, { duration: warmUp, connections }));
    for (let round = 0; round < roundCount; round++) {
      rounds.footer.push(await load(footer, measureRound));
      rounds.constant.push(await load(constant, measureRound));
    }
    return {
      figures: { tail: tailOf(rounds.footer) },
      table: [
        [`at ${ofPeak * 100} % of the peak`, "peak (requests/s)", "p50 (ms)", "p99 (ms)", "p99 ÷ p50"],
        ["footer", ...cellsOf(rounds.footer)],
        [constant.title, ...cellsOf(rounds.constant)],
      ],
    };
  },
};

function load<Result>({ pid, origin }: RunningServer, work: (url: string) => Promise<Result>): Promise<Result> {
  return onOwnCores(pid, () => work(`${origin}${path}`));
}

async function measureRound(url: string): Promise<Round> {
  const peak = await peakOf(url, { duration: roundTime, connections });
  const times = await openLoop(url, { perSecond: ofPeak * peak, duration: roundTime, connections });
  return { peak, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

function tailOf(rounds: readonly Round[]): Summary {
  return summarizeRatio(
    rounds.map(({ p99 }) => p99),
    rounds.map(({ p50 }) => p50),
  );
}

function cellsOf(rounds: readonly Round[]): string[] {
  const figures = (["peak", "p50", "p99"] as const).map((figure) => summarize(rounds.map((round) => round[figure])));
  return [...figures, tailOf(rounds)].map(formatSummary);
}
