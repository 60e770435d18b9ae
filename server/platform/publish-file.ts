import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a file that its user alone can read, which is there whole or not at all, and survives a crash of the machine. A
 * file that is there already stays as it is.
 * @param write - writes the content to a file of another name, which is empty
 * @returns whether the file was made
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
