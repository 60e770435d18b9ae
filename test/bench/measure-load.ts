import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { threadTimeOf } from "./process-figures.ts";
import type { RunningServer } from "./start-server.ts";

export interface LoadFigures {
  requestsPerSecond: number;
  /**
   * Processor time of the server per answer, with the work that it causes, in microseconds: what other work on the
   * machine changes least.
   */
  cpuTime: number;
}

/** The number of concurrent requests. */
const atOnce = 8;
const dispatcher = new Agent({ connections: atOnce });

/**
 * Requests a page of the German site.
 * @returns whether it was answered: on a busy machine the service rejects some requests
 */
export async function get({ origin }: RunningServer, path: string, headers: Record<string, string> = {}) {
  const { statusCode, body } = await request(`${origin}${path}`, {
    dispatcher,
    headers: { host: "de.localhost", ...headers },
  });
  await body.dump({ limit: 1e6 });
  if (![200, 304, 503].includes(statusCode)) throw new Error(`${path} was answered with ${statusCode}`);
  return statusCode !== 503;
}

/** Sends requests to a server as fast as it answers, until it has answered a number of them. */
export async function measureLoad(
  { pid }: RunningServer,
  count: number,
  ask: () => Promise<boolean>,
): Promise<LoadFigures> {
  const cpuBefore = threadTimeOf(pid);
  const started = performance.now();
  let left = count;
  const askAgain = async () => {
    while (left-- > 0) if (!(await ask())) left++;
  };
  await Promise.all(Array.from({ length: atOnce }, askAgain));
  const time = performance.now() - started;
  const cpuUsed = (await settledCpuTime(pid)) - cpuBefore;
  return { requestsPerSecond: (count / time) * second, cpuTime: (cpuUsed / count) * 1000 };
}

/** Waits until a process is idle. Returns its processor time so far. */
async function settledCpuTime(pid: number): Promise<Milliseconds> {
  for (let before = threadTimeOf(pid); ; ) {
    await pause(0.3 * second);
    const now = threadTimeOf(pid);
    if (now - before <= 10) return now;
    before = now;
  }
}
