import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
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

/**
 * Writes a file that everybody may read, in place of an existing one. Readers see the old or the new content, never a
 * part, even after a crash of the machine.
 */
export function replaceFile(file: string, content: string): void {
  const unfinished = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(unfinished, content, { flag: "wx", flush: true });
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
  flush(dirname(file), "r");
}

function flush(path: string, flags: string): void {
  const file = openSync(path, flags);
  fsyncSync(file);
  closeSync(file);
}
