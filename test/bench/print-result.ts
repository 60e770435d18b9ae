import type { Comparison, Ratios } from "./compare-variants.ts";
import { formatSummary, formatTable } from "./format-table.ts";
import { type RenderComparison, renderTitles } from "./measure-render.ts";
import type { settings } from "./settings.ts";

export interface Result {
  /** `loadAverage` is that of the minute before: what else the machine had to do. */
  machine: { cpu: string; cores: number; node: string; loadAverage: number };
  settings: typeof settings & { bytes: number };
  load: Comparison[];
  render: RenderComparison[];
}

/** Prints the tables of a result: medians with the range of the rounds. */
export function printResult({ machine, settings, load, render }: Result): void {
  const { path, bytes, connections, rounds, roundSeconds } = settings;
  const { cpu, cores, node, loadAverage } = machine;
  console.log(`${cpu}, ${cores} cores, Node ${node}, load average before ${loadAverage.toFixed(1)}`);
  console.log(`GET ${path}, ${bytes} bytes, ${connections} connections, ${rounds} rounds of ${roundSeconds} s`);

  printTable([
    ["Measured", "requests/s", "p50 (ms)", "p99 (ms)", "CPU per request (µs)", "load's event loop"],
    ...load.map((variant) => [variant.title, ...cells(variant), formatSummary(variant.loadUtilization)]),
  ]);
  printTable([
    ["Ratio to the constant", "requests/s", "p50", "p99", "CPU per request"],
    ...load.map(({ title, toConstant }) => [title, ...cells(toConstant)]),
  ]);
  printTable([
    ["Ratio to the whole tree", "requests/s", "p50", "p99", "CPU per request"],
    ...load.map(({ title, toWhole }) => [title, ...cells(toWhole)]),
  ]);
  printTable([
    ["Without HTTP", "time (µs)", "ratio to the whole tree"],
    ...render.map(({ subject, microseconds, toWhole }) => [
      renderTitles[subject],
      ...[microseconds, toWhole].map(formatSummary),
    ]),
  ]);
}

function cells({ requestsPerSecond, p50, p99, cpuTime }: Ratios): string[] {
  return [requestsPerSecond, p50, p99, cpuTime].map(formatSummary);
}

function printTable(rows: string[][]) {
  console.log(`\n${formatTable(rows)}`);
}
