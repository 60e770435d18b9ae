import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ComposedMail, DeliveryError, type KeptMails, type MailTransport } from "./mail-transport.ts";

/**
 * Creates the transport that writes each mail to a file of its own, for people to look at or programs to take. A file
 * never appears before it is whole. Names sort by time, and are the same at every attempt, so that a mail is one file.
 * @param folder - the folder of the files; created when it is missing, for its own user alone
 */
export function createFileTransport(folder: string): MailTransport & { kept: KeptMails } {
  return {
    async send(mail) {
      const unfinished = fileOf(mail, "tmp");
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(unfinished, mail.message, { mode: 0o600, flush: true });
        await rename(unfinished, fileOf(mail, "eml"));
      } catch (error) {
        throw new DeliveryError(`file not written: ${codeOf(error)}`, false);
      }
    },
    kept: {
      async find(mail) {
        const file = fileOf(mail, "eml");
        return existsSync(file) ? readFile(file) : undefined;
      },
    },
    close() {},
  };

  function fileOf({ id, createdAt }: Pick<ComposedMail, "id" | "createdAt">, extension: "eml" | "tmp"): string {
    return join(folder, `${new Date(createdAt).toISOString().replaceAll(":", "-")}-${id}.${extension}`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
