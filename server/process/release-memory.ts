import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";

/** How long the process must have been idle. */
const quiet: Milliseconds = second / 4;
/** The share of that time in which it may have worked. */
const mostWork = 0.1;

/**
 * Gives back what only the start needed, which V8 keeps until it is under load: 18 MB of 140, most of them the space for
 * new objects. It takes 60 ms in which nobody is answered, so it is left out while there are requests. Without
 * `--expose-gc`, it does nothing.
 */
export async function releaseMemory(): Promise<void> {
  const before = performance.eventLoopUtilization();
  await pause(quiet);
  if (performance.eventLoopUtilization(before).utilization > mostWork) return;
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}
