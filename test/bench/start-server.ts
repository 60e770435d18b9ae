import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { builtService } from "../support/start-process.ts";

/** A server that is measured. */
export interface Server {
  title: string;
  /** What Node starts, with its arguments. */
  words: readonly string[];
  env?: Record<string, string>;
}

export interface RunningServer {
  title: string;
  origin: string;
  pid: number;
  /** Ends it before the others. */
  stop(): void;
}

const stops = new Set<() => void>();
process.once("exit", stopServers);

/** Longest time for a server to give its first answer. */
const startLimit: Milliseconds = 30 * second;

/** The built service, without its demo. Its emails become files, which production would refuse. */
export const service: Server = {
  title: "service",
  words: builtService.slice(1),
  env: { HOST: "127.0.0.1", NODE_ENV: "", DEMO: "off" },
};

/**
 * Starts a server as a process of its own, which ends with this one at the latest. Its log goes to a file, as in
 * production.
 * @param path - the path that must answer
 * @returns the server, once it has answered
 */
export async function startServer({ title, words, env }: Server, path: string): Promise<RunningServer> {
  const port = String(await findFreePort());
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const log = openSync(join(folder, "log"), "w");
  const child = spawn(process.execPath, words, {
    // Passes nothing of the caller's environment on, so that no setting of a shell changes the result.
    env: { NODE_ENV: "production", DATA_DIR: folder, PORT: port, OPS_PORT: String(await findFreePort()), ...env },
    stdio: ["ignore", log, "inherit"],
  });
  closeSync(log);
  const stop = () => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    stops.delete(stop);
  };
  stops.add(stop);

  const origin = `http://127.0.0.1:${port}`;
  const limit = performance.now() + startLimit;
  while (child.pid && child.exitCode === null && performance.now() < limit) {
    if (await answers(`${origin}${path}`)) return { title, origin, pid: child.pid, stop };
    await pause(50);
  }
  throw new Error(`${title}: no answer from ${words.join(" ")}`);
}

/** Ends every server that runs. */
export function stopServers(): void {
  for (const stop of stops) stop();
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok ?? false;
}
