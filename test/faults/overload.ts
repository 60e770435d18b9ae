/**
 * Asks a service for more than it can do, and tells what it still answered. The service runs on one processor, the load
 * on another one, where there is `taskset`.
 *
 *   node build.mjs && tsx test/faults/overload.ts [seconds of each load]
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { builtService } from "../support/built-service.ts";
import { findFreePort } from "../support/find-free-port.ts";

/** What one load came to. */
interface LoadFigures {
  load: string;
  /** Answers of 200 in a second. */
  answered: number;
  /** Answers of 503 in a second. */
  shed: number;
  /** Every other outcome: other statuses, errors and time-outs. */
  failed: number;
  /**
   * Answers of 200 in a second of the service's processor time: what other work on the machine changes least.
   */
  answeredPerCpuSecond: number;
  /** Time within which 99 of 100 health checks were answered, each on a connection of its own. */
  healthP99: Milliseconds;
  /** Resident memory of the service after the load, in MB. */
  memory: number;
}

export interface OverloadFigures {
  loads: LoadFigures[];
  /**
   * By kind of load: what was answered in a second of processor time at five times the capacity, as a part of the most
   * that was answered at less.
   */
  goodput: Record<string, number>;
  /** Longest time from the end of a load of five times the capacity until nothing was shed any more. */
  recovery: Milliseconds;
  /** Longest p99 of the health checks. */
  healthP99: Milliseconds;
  /** The most that memory has grown from the capacity to five times of it: 1 is not at all. */
  memoryGrowth: number;
}

const host = "de.localhost";
const pages = [{ path: "/" }];
const mix = [
  ...["DE", "AT", "CH", "CH_FR", "PL", "CZ"].map((site) => ({ path: `/fragments/footer?site=${site}` })),
  ...["/", "/login", "/newsletter/confirm", "/preview"].map((path) => ({ path })),
];
const kinds = { footer: mix.slice(0, 1), mix, pages };
const connections = 400;

/**
 * Loads a service with 400 connections: with each kind of requests as fast as it answers, and with the mix and the pages
 * at one, two and five times that rate.
 * @param seconds - how long each of the nine loads takes
 */
export async function measureOverload(seconds: number): Promise<OverloadFigures> {
  const [port, opsPort] = [await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${port}`;
  const service = await startService(port, opsPort);
  const loads: LoadFigures[] = [];
  const recoveries: Milliseconds[] = [];
  const growths: number[] = [];
  const goodput: OverloadFigures["goodput"] = {};
  try {
    // What is compiled and kept by the first requests isn't to be counted.
    await load("warm-up", mix);
    loads.length = 0;
    await load("footer", kinds.footer);
    for (const kind of ["mix", "pages"] as const) {
      const { answered, memory } = await load(kind, kinds[kind]);
      const reached: number[] = [];
      for (const factor of [1, 2, 5]) {
        const figures = await load(`${kind}, ${factor} times the capacity`, kinds[kind], factor * answered);
        reached.push(figures.answeredPerCpuSecond);
      }
      growths.push((loads.at(-1)?.memory ?? 0) / memory);
      recoveries.push(await untilNormal());
      goodput[kind] = (reached.at(-1) ?? 0) / Math.max(...reached);
    }
  } finally {
    await service.stop();
  }
  return {
    loads,
    goodput,
    recovery: Math.max(...recoveries),
    healthP99: Math.max(...loads.map(({ healthP99 }) => healthP99)),
    memoryGrowth: Math.max(...growths),
  };

  async function load(title: string, requests: autocannon.Request[], perSecond?: number): Promise<LoadFigures> {
    const before = await metricsOf(opsPort);
    let isOver = false;
    const health = probe(`${url}/livez`, () => isOver);
    const result = await autocannon({
      // On a thread of its own, so that the health checks don't wait for it.
      ...{ url, requests, connections, duration: seconds, workers: 1, headers: { host } },
      ...(perSecond && { overallRate: Math.ceil(perSecond) }),
    });
    isOver = true;
    const countOf = (status: number) => result.statusCodeStats?.[`${status}`]?.count ?? 0;
    const total = result["1xx"] + result["2xx"] + result.non2xx + result.errors + result.timeouts;
    const times = (await health).sort((a, b) => a - b);
    const after = await metricsOf(opsPort);
    const figures = {
      load: title,
      answered: Math.round(countOf(200) / result.duration),
      shed: Math.round(countOf(503) / result.duration),
      failed: total - countOf(200) - countOf(503),
      healthP99: Math.round(times[Math.ceil(times.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY),
      answeredPerCpuSecond: Math.round(countOf(200) / (after.cpuSeconds - before.cpuSeconds)),
      memory: Math.round(after.bytes / 1e6),
    };
    loads.push(figures);
    return figures;
  }

  /** Waits until ten requests in a row are answered that are the first to be shed, for 30 seconds at most. */
  async function untilNormal(): Promise<Milliseconds> {
    const started = performance.now();
    for (let answered = 0; answered < 10 && performance.now() - started < 30 * second; )
      answered = (await ask(`${url}/preview`)) === 200 ? answered + 1 : 0;
    return Math.round(performance.now() - started);
  }
}

/** Asks again and again, on new connections. Returns how long each answer took. */
async function probe(url: string, isOver: () => boolean): Promise<Milliseconds[]> {
  const times: Milliseconds[] = [];
  while (!isOver()) {
    const started = performance.now();
    times.push((await ask(url)) === 200 ? performance.now() - started : Number.POSITIVE_INFINITY);
    await pause(50);
  }
  return times;
}

function ask(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    get(url, { agent: false, headers: { host }, timeout: 10 * second }, (response) =>
      response.resume().on("end", () => resolve(response.statusCode)),
    )
      .on("timeout", () => resolve(undefined))
      .on("error", () => resolve(undefined));
  });
}

async function metricsOf(opsPort: number) {
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
  return { bytes: read("process_resident_memory_bytes"), cpuSeconds: read("process_cpu_seconds_total") };
}

/** Starts the service as it was built, on the first processor, and keeps this process on the second one. */
async function startService(port: number, opsPort: number) {
  const dataDir = await mkdtemp(join(tmpdir(), "overload-"));
  const [program, ...words]: readonly [string, ...string[]] = (await run("taskset", "-apc", "1", `${process.pid}`))
    ? ["taskset", "-c", "0", ...builtService]
    : builtService;
  // A log of every request would be more than the pipe and this process can take.
  const env = { PATH: process.env.PATH, PORT: `${port}`, OPS_PORT: `${opsPort}`, DATA_DIR: dataDir, LOG_LEVEL: "warn" };
  const child = spawn(program, words, { env, stdio: "ignore" });
  while (child.exitCode === null && (await ask(`http://127.0.0.1:${port}/readyz`)) !== 200) await pause(50);
  return {
    async stop() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Tells whether a command ended well. */
async function run(program: string, ...words: string[]): Promise<boolean> {
  const child = spawn(program, words, { stdio: "ignore" });
  const ended = await once(child, "exit").catch(() => [undefined]);
  return ended[0] === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { loads, ...figures } = await measureOverload(Number(process.argv[2] ?? 10));
  console.table(loads);
  console.log(figures);
  const isRight = Object.values(figures.goodput).every((part) => part >= 0.9) && figures.recovery <= 5 * second;
  process.exitCode = isRight ? 0 : 1;
}
