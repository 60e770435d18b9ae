import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { minute, second } from "../../client/rules/time.ts";
import { findFreePort } from "../support/find-free-port.ts";

const run = promisify(execFile);

export interface Host {
  port: number;
  stop(): Promise<void>;
}

const groups = new Set<number>();
// Where a run ends before it has stopped what it started.
process.once("exit", () => {
  for (const group of groups) process.kill(-group, "SIGKILL");
});
// By default, Ctrl-C and Vitest, which then stops its workers, would end this process without the event "exit".
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const isPackage = (folder: string) => existsSync(`${folder}/package.json`);
const environment = (changes: Record<string, string>) => ({
  ...process.env,
  // Otherwise Vitest's own values would be built into pages.
  NODE_ENV: undefined,
  DEV: undefined,
  PROD: undefined,
  PATH: `${process.env.PATH}:/usr/sbin`,
  NEXT_TELEMETRY_DISABLED: "1",
  NUXT_TELEMETRY_DISABLED: "1",
  ASTRO_TELEMETRY_DISABLED: "1",
  ...changes,
});

/** Installs the packages of a host, and the packed client with them. */
export async function installHost(folder: string): Promise<void> {
  if (!isPackage(folder)) return;
  await run("npm", ["ci", "--prefer-offline", "--loglevel=error", "--no-audit", "--no-fund"], {
    cwd: folder,
    env: environment({}),
  });
}

/**
 * Builds a host, and starts it on a free port without its earlier data.
 * @param service - the origin of the service, which may be down
 * @returns the host, once it answers
 * @throws Error with its output if it doesn't
 */
export async function startHost(folder: string, service: string): Promise<Host> {
  const kept = await mkdtemp(join(tmpdir(), "host-"));
  // A server that drops its rights reads from there.
  await chmod(kept, 0o755);
  const port = await findFreePort();
  const env = environment({ PORT: String(port), FRAGMENTS: service, TMPDIR: kept });
  const command = isPackage(folder) ? (["npm", "start"] as const) : (["sh", "start.sh"] as const);
  if (isPackage(folder)) await run("npm", ["run", "build", "--if-present"], { cwd: folder, env });
  // In a process group of its own, because npm forwards few signals, and the servers start processes.
  const child = spawn(command[0], command.slice(1), { cwd: folder, env, detached: true });
  const ended = once(child, "exit");
  const group = child.pid;
  if (group) groups.add(group);
  child.once("exit", () => group && groups.delete(group));
  let said = "";
  for (const output of [child.stdout, child.stderr]) output.on("data", (text) => (said += text));
  const stop = async () => {
    if (group && groups.has(group)) process.kill(-group, "SIGKILL");
    await ended;
    await rm(kept, { recursive: true });
  };
  const limit = performance.now() + minute;
  while (
    !(await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5 * second) }).catch(() => undefined))
  ) {
    if (child.exitCode === null && performance.now() < limit) await pause(50);
    else {
      await stop();
      throw new Error(`${folder} doesn't answer: ${said}`);
    }
  }
  return { port, stop };
}
