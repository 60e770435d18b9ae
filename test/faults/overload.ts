import { spawnSync } from "node:child_process";
import { get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import autocannon from "autocannon";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { builtService, startProcess } from "../support/start-process.ts";
import { atLeast, atMost, type Proof, scaled } from "./proof.ts";

/** What one load came to. */
interface LoadFigures {
  load: string;
  /** Answers of 200 in a second. */
  answered: number;
  /** Answers of 503 in a second. */
  rejected: number;
  /** Every other outcome: other statuses, errors and time-outs. */
  failed: number;
  /** Answers of 200 in a second of the service's processor time, which other work on the machine changes least. */
  answeredPerCpuSecond: number;
  /** 99th percentile of the health checks, each on a connection of its own. */
  healthP99: Milliseconds;
  /** Resident memory of the service after the load, in MB. */
  memory: number;
}

const host = "de.localhost";
const pages = [{ path: "/" }];
const mix = [
  ...["DE", "AT", "CH", "CH_FR", "PL", "CZ"].map((site) => ({ path: `/fragments/footer?site=${site}` })),
  ...["/", "/login", "/newsletter/confirm", "/preview"].map((path) => ({ path })),
];
const connections = 400;

export const overload: Proof = {
  name: "overload",
  does: "Asks the service for one, two and five times as much as it can do, over 400 connections. What it can't do it refuses at once, and it goes on to do the rest as well as before.",
  isLong: true,
  async run(trial) {
    const { service, url, metrics } = await startOnOneProcessor();
    const load = (title: string, requests: autocannon.Request[], perSecond?: number) =>
      measure({ title, url, metrics, requests, perSecond, seconds: scaled(10, trial, 2) });
    // What the first requests compile and cache isn't counted.
    await load("warm-up", mix);
    const loads = [await load("footer", mix.slice(0, 1))];
    const figures = [];
    for (const [kind, requests] of Object.entries({ mix, pages })) {
      const capacity = await load(kind, requests);
      const reached: LoadFigures[] = [];
      for (const factor of [1, 2, 5])
        reached.push(await load(`${kind}, ${factor} times the capacity`, requests, factor * capacity.answered));
      const perCpuSecond = reached.map(({ answeredPerCpuSecond }) => answeredPerCpuSecond);
      const goodput = (perCpuSecond.at(-1) ?? 0) / Math.max(...perCpuSecond);
      figures.push(
        atLeast(`${kind}: answers in a processor's second at five times the capacity, beside the most`, goodput, 0.9),
        atMost(`${kind}: time until nothing is refused any more`, (await untilNormal(url)) / second, 5, "s"),
        atMost(
          `${kind}: memory after the last load, beside the first`,
          (reached.at(-1)?.memory ?? 0) / capacity.memory,
          1.2,
        ),
      );
      loads.push(capacity, ...reached);
    }
    service.signal("SIGKILL");
    await service.ended;
    console.table(loads);
    return figures;
  },
};

interface LoadOptions {
  title: string;
  url: string;
  metrics: () => Promise<{ bytes: number; cpuSeconds: number }>;
  requests: autocannon.Request[];
  perSecond: number | undefined;
  seconds: number;
}

async function measure({ title, url, metrics, requests, perSecond, seconds }: LoadOptions): Promise<LoadFigures> {
  const before = await metrics();
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
  const after = await metrics();
  return {
    load: title,
    answered: Math.round(countOf(200) / result.duration),
    rejected: Math.round(countOf(503) / result.duration),
    failed: total - countOf(200) - countOf(503),
    healthP99: Math.round(times[Math.ceil(times.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY),
    answeredPerCpuSecond: Math.round(countOf(200) / (after.cpuSeconds - before.cpuSeconds)),
    memory: Math.round(after.bytes / 1e6),
  };
}

/** Waits until ten requests in a row are answered that are the first to be rejected, for 30 seconds at most. */
async function untilNormal(url: string): Promise<Milliseconds> {
  const started = performance.now();
  for (let answered = 0; answered < 10 && performance.now() - started < 30 * second; )
    answered = (await ask(`${url}/preview`)) === 200 ? answered + 1 : 0;
  return Math.round(performance.now() - started);
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

/** Starts the built service on the first processor and keeps this process on the second, where there is `taskset`. */
async function startOnOneProcessor() {
  const [port, opsPort] = [await findFreePort(), await findFreePort()];
  const canPin = spawnSync("taskset", ["-apc", "1", `${process.pid}`]).status === 0;
  // A log of every request would be more than the pipe and this process can take.
  const variables = { PATH: process.env.PATH ?? "", PORT: `${port}`, OPS_PORT: `${opsPort}`, LOG_LEVEL: "warn" };
  const service = startProcess(variables, canPin ? ["taskset", "-c", "0", ...builtService] : builtService);
  const url = `http://127.0.0.1:${port}`;
  for (const end = performance.now() + 30 * second; (await ask(`${url}/readyz`)) !== 200; await pause(50))
    if (performance.now() > end) throw new Error(`the service doesn't start: ${service.stderr()}`);
  return {
    service,
    url,
    async metrics() {
      const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
      const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
      return { bytes: read("process_resident_memory_bytes"), cpuSeconds: read("process_cpu_seconds_total") };
    },
  };
}
