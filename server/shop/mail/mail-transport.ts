import { type Moment, minute } from "../../../client/rules/time.ts";

/** A mail as it is sent, with the same bytes at every attempt. */
export interface ComposedMail {
  id: string;
  createdAt: Moment;
  envelope: { from: string; to: string };
  /** The whole message, headers and bodies, with CRLF line ends. */
  message: Buffer;
}

/** How many mails are under way at once. */
export const atOnce = 5;
/** Longest time that a transport takes for a mail. */
export const sendTimeout = minute;

/** The mails that a transport keeps. */
export interface KeptMails {
  /** Gives the whole message of a mail; undefined when it isn't kept any more. */
  find(mail: Pick<ComposedMail, "id" | "createdAt">): Promise<Buffer | undefined>;
}

/** Hands mails over to a server or a folder. */
export interface MailTransport {
  /** @throws DeliveryError when it was refused or couldn't be handed over */
  send(mail: ComposedMail): Promise<void>;
  /** Missing where mails go elsewhere. */
  kept?: KeptMails;
  close(): void;
}

/** Says that a mail couldn't be handed over. The message holds codes alone, as what servers say repeats addresses. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  /** Whether another attempt would be refused, too. */
  readonly permanent: boolean;
  /** Whether it was refused as there is no such mailbox, so that every other mail to it would be, too. */
  readonly noMailbox: boolean;

  constructor(reason: string, permanent: boolean, { noMailbox = false } = {}) {
    super(reason);
    this.permanent = permanent;
    this.noMailbox = noMailbox;
  }
}
