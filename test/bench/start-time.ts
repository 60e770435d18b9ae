import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { builtService } from "../support/start-process.ts";
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
      first.push((await start(builtService, withoutDemo)).cpuTime / second);
      again.push((await start(builtService, withoutDemo)).cpuTime / second);
      npm.push((await start(["npm", "start"], { DATA_DIR: folder })).cpuTime / second);
      rmSync(folder, { recursive: true });
    }
    return { figures: { firstStart: summarize(first), restart: summarize(again), npmStart: summarize(npm) } };
  },
};

/**
 * Starts the service, and ends it as soon as it is ready.
 * @returns processor time of all that took part, and the time of the clock
 * @throws Error when it ends before
 */
async function start([program = "", ...words]: readonly string[], env: Record<string, string>, cwd?: string) {
  const started = performance.now();
  const child = spawn(program, words, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: "0", OPS_PORT: "0", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ready = Promise.withResolvers<{ cpuTime: Milliseconds; time: Milliseconds }>();
  const ended = Promise.withResolvers<void>();
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said += text;
    if (said.includes('"msg":"listening"'))
      ready.resolve({ cpuTime: cpuTimeOf(child.pid ?? 0), time: performance.now() - started });
  });
  child.on("exit", (code) => {
    ended.resolve();
    ready.reject(new Error(`${program} ${words.join(" ")} ended with ${code}`));
  });
  try {
    return await ready.promise;
  } finally {
    child.kill("SIGTERM");
    await ended.promise;
  }
}
