import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";

/**
 * Does a work while a server has the first core for itself, and this process all others, so that neither waits for the
 * other. Where there is one core, or no `taskset`, nothing is changed.
 */
export async function onOwnCores<Result>(server: number, work: () => Promise<Result>): Promise<Result> {
  const last = availableParallelism() - 1;
  try {
    pin(server, "0");
    pin(process.pid, last > 0 ? `1-${last}` : "0");
    return await work();
  } finally {
    pin(process.pid, `0-${last}`);
  }
}

function pin(pid: number, cores: string): void {
  try {
    execFileSync("taskset", ["--all-tasks", "--pid", "--cpu-list", cores, String(pid)], { stdio: "ignore" });
  } catch {
    console.log("the cores are shared, as taskset can't be run");
  }
}
