import { performance } from "node:perf_hooks";
import autocannon from "autocannon";
import type { Milliseconds } from "../../client/rules/time.ts";
import { settings } from "./settings.ts";
import type { RunningServer } from "./start-server.ts";

export interface LoadFigures {
  requestsPerSecond: number;
  /** Time within which half of the requests were answered. */
  p50: Milliseconds;
  /** Time within which all but one of a hundred requests were answered. */
  p99: Milliseconds;
  /** Processor time of the server per request, in microseconds: what other work on the machine changes least. */
  cpuTime: number;
  /** Part of the time that the load's own event loop was busy; near 1, the server could have answered more. */
  loadUtilization: number;
}

/**
 * Asks one server for the fragment again and again, as fast as it answers.
 * @throws Error when any request wasn't answered with 2xx
 */
export async function measureLoad({ variant, url, cpuTime }: RunningServer, seconds: number): Promise<LoadFigures> {
  const { connections } = settings;
  const cpuBefore = await cpuTime();
  const loopBefore = performance.eventLoopUtilization();
  const { result, times } = await load(url, seconds);
  const { utilization } = performance.eventLoopUtilization(loopBefore);
  const cpuUsed = (await cpuTime()) - cpuBefore;

  const { errors, timeouts, non2xx, resets } = result;
  if (times.length === 0 || errors + timeouts + non2xx + resets > 0)
    throw new Error(`${variant.title}: ${JSON.stringify({ answers: times.length, errors, timeouts, non2xx, resets })}`);
  // The first answer of each connection includes the time to connect.
  const sorted = times.slice(connections).sort((a, b) => a - b);
  return {
    requestsPerSecond: times.length / result.duration,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    cpuTime: cpuUsed / times.length,
    loadUtilization: utilization,
  };
}

interface Load {
  result: autocannon.Result;
  /** Time of every answer, as autocannon's own percentiles are whole milliseconds. */
  times: Milliseconds[];
}

/** @param duration - in seconds */
function load(url: string, duration: number): Promise<Load> {
  const { promise, resolve, reject } = Promise.withResolvers<Load>();
  const times: Milliseconds[] = [];
  const { connections, pipelining } = settings;
  autocannon({ url, connections, pipelining, duration, timeout: 5 }, (error, result) => {
    if (error) reject(error);
    else resolve({ result, times });
  }).on("response", (_client, _status, _bytes, time) => times.push(time));
  return promise;
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
}
