import { type Milliseconds, type Moment, minute } from "../../../../client/rules/time.ts";

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
export const sendTimeout: Milliseconds = minute;

/** Reads mails that a transport has stored. */
export interface MailArchive {
  /** Returns the whole message, or undefined if it no longer exists. */
  find(mail: { id: string; createdAt: Moment }): Promise<Buffer | undefined>;
}

/** Delivers mails to a server or a folder. */
export interface MailTransport {
  /** @throws DeliveryError when the mail was refused or couldn't be delivered */
  send(mail: ComposedMail): Promise<void>;
  /** Only present when the transport stores what it sends. */
  archive?: MailArchive;
  close(): void;
}

/** A mail couldn't be delivered. The message holds codes only: what servers answer repeats addresses. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  /** Whether another attempt would be refused as well. */
  readonly permanent: boolean;
  /** Whether the mailbox doesn't exist, so that every mail to it would be refused. */
  readonly noMailbox: boolean;

  constructor(reason: string, permanent: boolean, { noMailbox = false } = {}) {
    super(reason);
    this.permanent = permanent;
    this.noMailbox = noMailbox;
  }
}
