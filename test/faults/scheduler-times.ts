/** The times of a process's first thread, which runs the event loop, from Linux' scheduler. Other systems report none. */
import { readFileSync } from "node:fs";
import type { Milliseconds } from "../../client/rules/time.ts";

/** Returns how long the thread had a processor; undefined if the system doesn't say. */
export const ranOnProcessor = (process: string): Milliseconds | undefined => readTime(process, 0);

/** Returns how long the thread was ready to run while others had the processors; undefined if the system doesn't say. */
export const waitedForProcessor = (process: string): Milliseconds | undefined => readTime(process, 1);

function readTime(process: string, field: 0 | 1): Milliseconds | undefined {
  try {
    return Number(readFileSync(`/proc/${process}/schedstat`, "utf8").split(" ")[field]) / 1e6;
  } catch {
    return undefined;
  }
}
