import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { second } from "../../client/rules/time.ts";

export interface ProgramPlan {
  name: string;
  command: readonly string[];
  environment: Record<string, string>;
  /** The address that answers with success once it is ready; undefined where it does its work and ends. */
  ready: string | undefined;
  /** The folder in which it starts. */
  cwd?: string;
}

export interface Program {
  /** What it has said last. */
  said(): string;
  /** Ends it, and waits until it has. */
  stop(signal: NodeJS.Signals): Promise<void>;
  /**
   * Starts it again, once it has ended, and waits until it is ready.
   * @param cwd - the folder in which it starts from now on
   */
  start(cwd?: string): Promise<void>;
}

const patience = 30 * second;
const running = new Set<ChildProcess>();
// Where a test ends before it has stopped what it started.
process.once("exit", () => {
  for (const child of running) signalAll(child, "SIGKILL");
});

/** Starts a program, and waits until it is ready, or has done its work. */
export async function startProgram({ name, command, environment, ready, cwd }: ProgramPlan): Promise<Program> {
  let said = "";
  let folder = cwd;
  let child: ChildProcess | undefined;
  await start();
  return { said: () => said, stop, start };

  async function start(newFolder = folder): Promise<void> {
    folder = newFolder;
    const [program = "", ...words] = command;
    const begun = spawn(program, words, {
      cwd: folder,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      // In a group of its own, with the processes that it starts.
      detached: true,
    });
    child = begun;
    running.add(begun);
    begun.once("exit", () => running.delete(begun));
    for (const stream of [begun.stdout, begun.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-20_000);
      });
    const ended = once(begun, "exit").then(([code]) => code as number | null);
    if (!ready) {
      if ((await ended) !== 0) throw new Error(`${name} failed: ${said}`);
      return;
    }
    const isReady = () =>
      fetch(ready).then(
        ({ ok }) => ok,
        () => false,
      );
    for (const end = performance.now() + patience; !(await isReady()); await pause(50)) {
      if (begun.exitCode !== null) throw new Error(`${name} ended: ${said}`);
      if (performance.now() > end) throw new Error(`${name} isn't ready: ${said}`);
    }
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    signalAll(child, signal);
    await once(child, "exit");
  }
}

/** Signals a program and its processes: nginx and Varnish leave theirs behind when they are killed. */
function signalAll({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal);
}
