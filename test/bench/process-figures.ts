/** Processor time and memory of a process, from Linux' /proc. */
import { readdirSync, readFileSync } from "node:fs";
import { type Milliseconds, second } from "../../client/rules/time.ts";

/** A tick of /proc, the same on every Linux that Node runs on. */
const tick: Milliseconds = second / 100;

/** Returns the processor time so far of a process and its children. */
export function cpuTimeOf(pid: number): Milliseconds {
  const processes = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readStat(Number(name)) : []));
  const timeOf = (id: number): number =>
    processes.reduce((sum, { pid, parent, ticks }) => {
      if (pid === id) return sum + ticks;
      return parent === id ? sum + timeOf(pid) : sum;
    }, 0);
  return timeOf(pid) * tick;
}

/** Returns the processor time so far of a process's current threads. It is exact, unlike ticks. */
export function threadTimeOf(pid: number): Milliseconds {
  const folder = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(folder).map((thread) => {
    const [time = ""] = readFileSync(`${folder}/${thread}/schedstat`, "utf8").split(" ");
    return Number(time);
  });
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e6;
}

/** Returns the resident memory of a process in bytes. */
export function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

/**
 * Reads the parent and the ticks of a process, including those of its ended children; undefined if it has ended itself.
 */
function readStat(pid: number): { pid: number; parent: number; ticks: number }[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid, parent: Number(fields[1]), ticks }];
  } catch {
    return [];
  }
}
