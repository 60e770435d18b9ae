import { type Milliseconds, type Moment, minute } from "../../../../client/rules/time.ts";

/** An email ready to be sent, with the same bytes at every attempt. */
export interface ComposedMail {
  id: string;
  createdAt: Moment;
  envelope: { from: string; to: string };
  /** The whole message, headers and bodies, with CRLF line endings. */
  message: Buffer;
}

/** The number of emails that are sent at the same time. */
export const concurrentMails = 5;
/** The maximum time that a transport takes for an email. */
export const mailTimeout: Milliseconds = minute;

/** Delivers mails to a server or a folder. */
export interface MailTransport {
  /** @throws DeliveryError when the mail was refused or couldn't be delivered */
  send(mail: ComposedMail): Promise<void>;
  /**
   * Finds the whole message of a sent email; undefined if it no longer exists. Only for transports that store what they
   * send.
   */
  find?(mail: { id: string; createdAt: Moment }): Promise<Buffer | undefined>;
  close(): void;
}

/** An email couldn't be delivered. The message contains only codes, because answers of servers repeat addresses. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  /**
   * `postponed`: another attempt may succeed. `failed`: another would be refused, too. `bounced`: the mailbox doesn't
   * exist, so every email to it would be refused.
   */
  readonly outcome: "postponed" | "failed" | "bounced";

  constructor(reason: string, outcome: DeliveryError["outcome"]) {
    super(reason);
    this.outcome = outcome;
  }
}
