import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { second } from "../../client/rules/time.ts";
import { findFreePort } from "../support/find-free-port.ts";

export interface Edge {
  origin: string;
  /** Its own folder. */
  folder: string;
  /** Fetches something through it. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
// Where a test ends before it has stopped what it started.
process.once("exit", () => {
  for (const child of running) child.kill("SIGTERM");
});

/**
 * Starts a program that composes pages, in a folder of its own.
 * @param start - returns the command for a port and a folder, which it may fill
 * @returns the program, once it answers
 */
export async function runEdge(
  start: (port: number, folder: string) => Promise<{ command: [string, ...string[]]; env?: Record<string, string> }>,
): Promise<Edge> {
  const folder = await mkdtemp(join(tmpdir(), "edge-"));
  const port = await findFreePort();
  const { command, env } = await start(port, folder);
  const [program, ...words] = command;
  const child = spawn(program, words, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const said = collect(child);
  const origin = `http://127.0.0.1:${port}`;
  try {
    const limit = performance.now() + 50 * second;
    while (!(await fetch(`${origin}/ready`).catch(() => undefined))) {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${said()}`);
      if (performance.now() > limit) throw new Error(`${program} doesn't answer: ${said()}`);
      await pause(20);
    }
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  return {
    origin,
    folder,
    get: (path, headers) => fetch(origin + path, { headers: headers ?? {} }),
    async stop() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      await rm(folder, { recursive: true });
    },
  };
}

function collect({ stderr }: ChildProcess): () => string {
  let text = "";
  stderr?.setEncoding("utf8").on("data", (piece) => {
    text = (text + piece).slice(-10_000);
  });
  return () => text;
}
