import { spawnSync } from "node:child_process";
import { get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { second } from "../../client/rules/time.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { builtService, startProcess } from "../support/start-process.ts";

/** The host that the programs request. */
export const host = "de.localhost";

/** @returns undefined if there is no answer */
export function askStatus(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    get(url, { agent: false, headers: { host }, timeout: 10 * second }, (response) =>
      response.resume().on("end", () => resolve(response.statusCode)),
    )
      .on("timeout", () => resolve(undefined))
      .on("error", () => resolve(undefined));
  });
}

/**
 * Starts the built service on the first processor and keeps this process on the second, if `taskset` is available.
 * @param environment - variables in addition to ports and log
 */
export async function startOnOneProcessor(environment: Record<string, string> = {}) {
  const [port, opsPort] = [await findFreePort(), await findFreePort()];
  const canPin = spawnSync("taskset", ["-apc", "1", `${process.pid}`]).status === 0;
  // A log of every request would be too much for the pipe and this process.
  const own = { PATH: process.env.PATH ?? "", PORT: `${port}`, OPS_PORT: `${opsPort}`, LOG_LEVEL: "warn" };
  const variables = { ...own, ...environment };
  const service = startProcess(variables, canPin ? ["taskset", "-c", "0", ...builtService] : builtService);
  const url = `http://127.0.0.1:${port}`;
  for (const end = performance.now() + 30 * second; (await askStatus(`${url}/readyz`)) !== 200; await pause(50))
    if (performance.now() > end) throw new Error(`the service doesn't start: ${service.stderr()}`);
  return {
    service,
    url,
    port,
    async metrics() {
      const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
      const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
      return { bytes: read("process_resident_memory_bytes"), cpuSeconds: read("process_cpu_seconds_total") };
    },
  };
}
