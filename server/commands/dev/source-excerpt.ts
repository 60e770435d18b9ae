import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A fault, and the lines of its source around it; undefined if it names no line. */
export interface ShownFault {
  fault: string;
  excerpt: string | undefined;
}

/** The number of lines shown before and after the one with the fault. */
const around = 2;

/**
 * Reads the source around each fault that names its line, as `<file> … (line 3, column 1)` or `<file>:3:1 …`.
 * @param folders - the folders of the files; the first one that has the file counts
 */
export function excerptFaults(faults: readonly string[], folders: readonly string[]): ShownFault[] {
  return faults.map((fault) => {
    const [, file = "", number = ""] =
      /^(\S+):(\d+):\d+ /.exec(fault) ?? /^(\S+).* \(line (\d+)(?:, column \d+)?\)$/s.exec(fault) ?? [];
    const path = folders.map((folder) => join(folder, file)).find((candidate) => file !== "" && existsSync(candidate));
    return { fault, excerpt: path && excerpt(readFileSync(path, "utf8"), Number(number)) };
  });
}

function excerpt(source: string, number: number): string {
  const lines = source.split("\n");
  const first = Math.max(0, number - 1 - around);
  const width = String(number + around).length;
  return lines
    .slice(first, number + around)
    .map((line, index) => {
      const at = first + index + 1;
      return `${at === number ? ">" : " "} ${String(at).padStart(width)} | ${line}`;
    })
    .join("\n");
}
