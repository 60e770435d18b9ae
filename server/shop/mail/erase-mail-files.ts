import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { normalizeEmail } from "../../../client/rules/email.ts";
import { parseMailbox } from "./parse-mailbox.ts";

/** Mails, and what attempts that broke off have left of them. */
const mailFile = /\.(eml|tmp)$/;

/**
 * Removes the files of the mails to an address, of any age. Files know their recipients longer than the outbox does.
 * @param folder - the folder of the files, which may be missing
 * @returns how many files there were
 */
export async function eraseMailFiles(folder: string, email: string): Promise<number> {
  if (!existsSync(folder)) return 0;
  let erased = 0;
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (!mailFile.test(name) || !isTo(await readFile(file, "latin1"), email)) continue;
    await rm(file, { force: true });
    erased++;
  }
  return erased;
}

function isTo(message: string, email: string): boolean {
  const [headers = ""] = message.split("\r\n\r\n", 1);
  const [, recipient = ""] = /^To: (.*)$/im.exec(headers.replace(/\r\n[ \t]+/g, " ")) ?? [];
  return spellingOf(parseMailbox(recipient).address) === spellingOf(email);
}

function spellingOf(address: string): string {
  return normalizeEmail(address).toLowerCase();
}
