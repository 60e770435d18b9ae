import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { second } from "../../client/rules/time.ts";
import { startProcess } from "../support/start-process.ts";
import { cpuTimeOf } from "./process-figures.ts";
import type { Measure } from "./report.ts";
import { summarize } from "./summarize.ts";

const rounds = 5;

/** Measures the processor time from the start of the service until it is ready. */
export const startTime: Measure = {
  name: "start",
  duration: 30 * second,
  async run() {
    const first: number[] = [];
    const again: number[] = [];
    const npm: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const folder = mkdtempSync(join(tmpdir(), "bench-"));
      const withoutDemo = { DEMO: "off", DATA_DIR: folder };
      first.push(await start(withoutDemo));
      again.push(await start(withoutDemo));
      npm.push(await start({ DATA_DIR: folder }, ["npm", "start"]));
      rmSync(folder, { recursive: true });
    }
    return { figures: { firstStart: summarize(first), restart: summarize(again), npmStart: summarize(npm) } };
  },
};

/**
 * Starts the service, and ends it as soon as it is ready.
 * @returns the processor time of all its processes, in seconds
 */
async function start(env: Record<string, string>, command?: readonly [string, ...string[]]): Promise<number> {
  const { PATH = "", HOME = "" } = process.env;
  const service = startProcess({ PATH, HOME, ...env }, command);
  try {
    await service.port;
    return cpuTimeOf(service.pid ?? 0) / second;
  } finally {
    service.signal("SIGTERM");
    await service.ended;
  }
}
