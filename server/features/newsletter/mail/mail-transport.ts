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
