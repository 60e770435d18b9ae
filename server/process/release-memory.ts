import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";

/** How long the process must have been idle. */
const quiet: Milliseconds = second / 4;
/** The maximum share of that time in which it may have worked. */
const mostWork = 0.1;

/**
 * Frees memory that only the start needed, which V8 would keep until it is under load: 18 MB of 140, mostly the space
 * for new objects. Nobody is answered for 60 ms, so this is skipped while there are requests. Without `--expose-gc`, it
 * does nothing.
 */
export async function releaseMemory(): Promise<void> {
  const before = performance.eventLoopUtilization();
  await pause(quiet);
  if (performance.eventLoopUtilization(before).utilization > mostWork) return;
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}
