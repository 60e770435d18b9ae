import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { normalizeEmail } from "../../../../client/rules/email.ts";
import type { Moment } from "../../../../client/rules/time.ts";
import { toIso } from "../../../platform/time.ts";
import { DeliveryError, type MailTransport } from "./mail-transport.ts";
import { parseMailbox } from "./mailboxes.ts";

/** The folder of mails that aren't sent by SMTP. */
export function mailFolder(dataDir: string): string {
  return join(dataDir, "outbox");
}

/** Finished emails, and unfinished ones of interrupted attempts. */
const mailFile = /\.(eml|tmp)$/;

/**
 * Creates the transport that writes each email to a file, for people to read or programs to collect. A file appears
 * only when it is complete. Names sort by time and are the same at every attempt, so that a retry overwrites the file.
 * @param folder - created if missing, readable only by the service's user
 */
export function createFileTransport(folder: string): MailTransport {
  return {
    async send(mail) {
      const unfinished = fileOf(mail, "tmp");
      const write = () => writeFile(unfinished, mail.message, { mode: 0o600, flush: true });
      try {
        await write().catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOENT") throw error;
          await mkdir(folder, { recursive: true, mode: 0o700 });
          await write();
        });
        await rename(unfinished, fileOf(mail, "eml"));
      } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
        throw new DeliveryError(`file not written: ${code}`, "postponed");
      }
    },
    async find(mail) {
      const file = fileOf(mail, "eml");
      return existsSync(file) ? readFile(file) : undefined;
    },
    close() {},
  };

  function fileOf({ id, createdAt }: { id: string; createdAt: Moment }, extension: "eml" | "tmp"): string {
    return join(folder, `${toIso(createdAt).replaceAll(":", "-")}-${id}.${extension}`);
  }
}

/**
 * Deletes the files of all emails to an address. Unlike rows of the outbox, files don't expire.
 * @param folder - may be missing
 * @param email - normalized
 * @returns the number of deleted files
 */
export async function eraseMailFiles(folder: string, email: string): Promise<number> {
  if (!existsSync(folder)) return 0;
  let erased = 0;
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (!mailFile.test(name) || recipientOf(await readFile(file, "latin1")) !== email.toLowerCase()) continue;
    await rm(file, { force: true });
    erased++;
  }
  return erased;
}

function recipientOf(message: string): string {
  const [headers = ""] = message.split("\r\n\r\n", 1);
  const [, recipient = ""] = /^To: (.*)$/im.exec(headers.replace(/\r\n[ \t]+/g, " ")) ?? [];
  return normalizeEmail(parseMailbox(recipient).address).toLowerCase();
}
