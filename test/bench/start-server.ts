import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { settings } from "./settings.ts";
import type { Variant } from "./variants.ts";

export interface RunningServer {
  variant: Variant;
  /** Address of the fragment. */
  url: string;
  /** Tells the processor time that it has used so far, in microseconds. */
  cpuTime(): Promise<number>;
}

/** Longest time for a server to give its first answer. */
const startLimit: Milliseconds = 10 * second;

/**
 * Starts a variant as a process of its own, which ends with this one, however that ends.
 * @param source - the address whose answer the constant variant repeats
 * @returns the server, once it has answered
 */
export async function startServer(variant: Variant, source = ""): Promise<RunningServer> {
  const { title, script, env } = variant;
  const port = String(await findFreePort());
  const dataDir = mkdtempSync(join(tmpdir(), "bench-"));
  const child = fork(script, {
    // Nothing of the caller's environment is passed on, so that no setting of a shell changes what is measured.
    env: {
      NODE_ENV: "production",
      LOG_LEVEL: "silent",
      HOST: "127.0.0.1",
      OPS_PORT: "0",
      DATA_DIR: dataDir,
      ...env,
      PORT: port,
      SOURCE: source,
    },
    execArgv: ["--import", "./dist/bench/report-cpu-time.js"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  process.once("exit", () => {
    child.kill("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  });

  const url = `http://127.0.0.1:${port}${settings.path}`;
  const limit = performance.now() + startLimit;
  while (child.exitCode === null && performance.now() < limit) {
    if (await answers(url)) return { variant, url, cpuTime: () => askCpuTime(child) };
    await pause(50);
  }
  throw new Error(`${title}: no answer from ${script}`);
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok ?? false;
}

async function askCpuTime(child: ChildProcess): Promise<number> {
  child.send("cpu time");
  const [time] = await once(child, "message", { signal: AbortSignal.timeout(5 * second) });
  return Number(time);
}
