import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NodemailerError } from "nodemailer";
import { normalizeEmail } from "../../../../client/rules/email.ts";
import { type Milliseconds, type Moment, minute, second } from "../../../../client/rules/time.ts";
import type { Env } from "../../../config/env.ts";
import { toIso } from "../../../platform/time.ts";
import { parseMailbox } from "./mailboxes.ts";

/** A mail ready to send, with the same bytes at every attempt. */
export interface ComposedMail {
  id: string;
  createdAt: Moment;
  envelope: { from: string; to: string };
  /** The whole message, headers and bodies, with CRLF line endings. */
  message: Buffer;
}

/** How many mails are sent at the same time. */
export const concurrentMails = 5;
/** Longest time that a transport takes for a mail. */
export const mailTimeout: Milliseconds = minute;

/** Delivers mails to a server or a folder. */
export interface MailTransport {
  /** @throws DeliveryError when the mail was refused or couldn't be delivered */
  send(mail: ComposedMail): Promise<void>;
  /**
   * Finds the whole message of a mail that was sent; undefined if it no longer exists. Only present when the transport
   * stores what it sends.
   */
  find?(mail: { id: string; createdAt: Moment }): Promise<Buffer | undefined>;
  close(): void;
}

/** A mail couldn't be delivered. The message holds codes only: what servers answer repeats addresses. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  /**
   * `postponed`: another attempt may succeed; `failed`: it would be refused as well; `bounced`: the mailbox doesn't
   * exist, so that every mail to it would be refused.
   */
  readonly outcome: "postponed" | "failed" | "bounced";

  constructor(reason: string, outcome: DeliveryError["outcome"]) {
    super(reason);
    this.outcome = outcome;
  }
}

/** Opens what delivers the mails of the environment. */
export async function openMailTransport({ dataDir, smtpUrl }: Env): Promise<MailTransport> {
  return smtpUrl ? createSmtpTransport(smtpUrl) : createFileTransport(mailFolder(dataDir));
}

/** The folder of mails that aren't sent by SMTP. */
export function mailFolder(dataDir: string): string {
  return join(dataDir, "outbox");
}

/** Finished mails, and unfinished ones of interrupted attempts. */
const mailFile = /\.(eml|tmp)$/;

/**
 * Creates the transport that writes each mail to a file, for people to read or programs to pick up. A file appears only
 * when it is complete. Names sort by time and are the same at every attempt, so that a retry overwrites the file.
 * @param folder - created when missing, readable by the service's user only
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
 * Deletes the files of all mails to an address. Unlike rows of the outbox, files have no age limit.
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

/**
 * Creates the transport that delivers mails over SMTP.
 * @param url - smtp:// uses TLS if the server offers it, and requires it before sending a password; smtps:// is TLS
 */
export async function createSmtpTransport(url: string): Promise<MailTransport> {
  // Loaded where it is needed, to start faster elsewhere.
  const { default: nodemailer } = await import("nodemailer");
  const transporter = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: concurrentMails,
    requireTLS: new URL(url).password !== "",
    connectionTimeout: 10 * second,
    greetingTimeout: 10 * second,
    socketTimeout: 30 * second,
    // The outbox retries. If the pool did as well, a mail whose acceptance got lost would be sent twice.
    maxRequeues: 0,
  });
  return {
    async send({ envelope, message }) {
      const mail = { envelope, raw: message, signal: AbortSignal.timeout(mailTimeout) };
      await transporter.sendMail(mail).catch((error: NodemailerError) => {
        throw toDeliveryError(error);
      });
    },
    close: () => transporter.close(),
  };
}

/**
 * A 5xx reply to the recipient or the message is final. One to the sender or the sign-in points at a configuration fault
 * on either side, and mails wait until it is fixed.
 */
function toDeliveryError(error: NodemailerError): DeliveryError {
  const { code, command, responseCode, response = "", permanent = false } = error;
  const reason = ["SMTP", code, command, responseCode].filter(Boolean).join(" ");
  if (!permanent || !(command === "RCPT TO" || command === "DATA")) return new DeliveryError(reason, "postponed");
  return new DeliveryError(reason, command === "RCPT TO" && noMailboxReply.test(response) ? "bounced" : "failed");
}

/**
 * A reply that the mailbox or domain doesn't exist, has moved or is disabled, by the codes of
 * https://www.rfc-editor.org/rfc/rfc3463 and https://www.rfc-editor.org/rfc/rfc7505. A bare 550 may be about policy.
 */
const noMailboxReply = /^5\d\d[ -]5\.(?:1\.(?:1|2|3|6|10)|2\.1)(?!\d)/;
