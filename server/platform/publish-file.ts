import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a file that only its user can read. It appears whole or not at all, and survives a crash of the machine. An
 * existing file stays unchanged.
 * @param write - writes the content to an empty file of another name
 * @returns whether the file was created
 */
export function publishFile(file: string, write: (unfinished: string) => void): boolean {
  const unfinished = `${file}.${randomUUID()}.tmp`;
  try {
    closeSync(openSync(unfinished, "wx", 0o600));
    write(unfinished);
    flush(unfinished, "r+");
    linkSync(unfinished, file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  flush(dirname(file), "r");
  return true;
}

function flush(path: string, flags: string): void {
  const file = openSync(path, flags);
  fsyncSync(file);
  closeSync(file);
}
