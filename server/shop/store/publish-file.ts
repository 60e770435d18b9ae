import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a file that its user alone can read, which is there whole or not at all, and survives a crash of the machine. A
 * file that is there already stays as it is.
 */
export function publishFile(file: string, content: string): void {
  const unfinished = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(unfinished, content, { mode: 0o600, flag: "wx", flush: true });
    linkSync(unfinished, file);
  } catch (error) {
    if (!isThere(error)) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  const folder = openSync(dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

function isThere(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
