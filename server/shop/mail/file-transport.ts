import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DeliveryError, type MailTransport } from "./mail-transport.ts";

/**
 * Creates the transport that writes each mail to a file of its own, for people to look at or programs to take. A file
 * never appears before it is whole. Names sort by time, and are the same at every attempt, so that a mail is one file.
 * @param folder - the folder of the files; created when it is missing, for its own user alone
 */
export function createFileTransport(folder: string): MailTransport {
  return {
    async send({ id, createdAt, message }) {
      const name = `${new Date(createdAt).toISOString().replaceAll(":", "-")}-${id}`;
      const unfinished = join(folder, `${name}.tmp`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(unfinished, message, { mode: 0o600, flush: true });
        await rename(unfinished, join(folder, `${name}.eml`));
      } catch (error) {
        throw new DeliveryError(`file not written: ${codeOf(error)}`, false);
      }
    },
    close() {},
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
