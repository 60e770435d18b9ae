import { performance } from "node:perf_hooks";
import autocannon from "autocannon";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { cpuTimeOf } from "./process-figures.ts";
import type { RunningServer } from "./start-server.ts";
import { percentile } from "./summarize.ts";

export interface LoadFigures {
  requestsPerSecond: number;
  /** Time within which half of the requests were answered. */
  p50: Milliseconds;
  /** Time within which all but one of a hundred requests were answered. */
  p99: Milliseconds;
  /** Processor time of the server per request, in microseconds: what other work on the machine changes least. */
  cpuTime: number;
  /** Utilization of the load generator's own event loop; near 1, the server could have answered more. */
  loadUtilization: number;
}

/** Number of connections. */
export const connections = 20;
/** As an edge passes it on: pages are those of this site. */
const headers = { host: "de.localhost" };

/**
 * Requests these paths from a server again and again, as fast as it answers.
 * @throws Error when a connection failed, or more than one of a hundred answers wasn't 2xx: a busy machine lets the
 *   service shed some
 */
export async function measureLoad(
  { title, origin, pid }: RunningServer,
  paths: readonly string[],
  duration: Milliseconds,
): Promise<LoadFigures> {
  const cpuBefore = cpuTimeOf(pid);
  const loopBefore = performance.eventLoopUtilization();
  const { result, times } = await load(origin, paths, duration);
  const { utilization } = performance.eventLoopUtilization(loopBefore);
  const cpuUsed = cpuTimeOf(pid) - cpuBefore;

  const { errors, timeouts, non2xx, resets } = result;
  if (times.length === 0 || errors + timeouts + resets > 0 || non2xx > times.length / 100)
    throw new Error(`${title}: ${JSON.stringify({ answers: times.length, errors, timeouts, non2xx, resets })}`);
  // The first answer of each connection includes the time to connect.
  const counted = times.slice(connections);
  return {
    requestsPerSecond: times.length / result.duration,
    p50: percentile(counted, 0.5),
    p99: percentile(counted, 0.99),
    cpuTime: (cpuUsed / times.length) * 1000,
    loadUtilization: utilization,
  };
}

interface Load {
  result: autocannon.Result;
  /** Time of every answer, as autocannon's own percentiles are whole milliseconds. */
  times: Milliseconds[];
}

function load(url: string, paths: readonly string[], duration: Milliseconds): Promise<Load> {
  const { promise, resolve, reject } = Promise.withResolvers<Load>();
  const times: Milliseconds[] = [];
  const requests = paths.map((path) => ({ path }));
  autocannon({ url, requests, headers, connections, duration: duration / second, timeout: 10 }, (error, result) => {
    if (error) reject(error);
    else resolve({ result, times });
  }).on("response", (_client, _status, _bytes, time) => times.push(time));
  return promise;
}
