import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";

/** How long the process must have been idle. */
const quiet: Milliseconds = second / 4;
/** The maximum share of that time in which it may have worked. */
const mostWork = 0.1;

/**
 * Frees memory that only the start needed, which V8 would keep until it is under load: 18 MB of 140, mostly the space
 * for new objects. Nobody is answered for 60 ms, so it waits until the process is idle. Without `--expose-gc`, it frees
 * nothing.
 */
export async function releaseMemory(): Promise<void> {
  while ((await measureWork()) > mostWork);
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}

/** Measures the share of a while in which the process works. */
async function measureWork(): Promise<number> {
  const before = performance.eventLoopUtilization();
  await pause(quiet);
  return performance.eventLoopUtilization(before).utilization;
}
