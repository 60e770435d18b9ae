import type { Moment } from "../../client/rules/time.ts";

/** A mail of the newsletter. */
export interface NewsletterMail {
  id: string;
  /** Code of the site that it is sent for. */
  site: string;
  recipient: string;
  state: "queued" | "sent" | "failed";
  /** When it was sent, or is to be. */
  at: Moment;
  /** Undefined where nothing is kept of what the mail says. */
  message: MailMessage | undefined;
}

export interface MailMessage {
  subject: string;
  /** Every header as it is sent, in order. */
  headers: { name: string; value: string }[];
  text: string;
  html: string;
}

/** Reads the mails of the newsletter, which hold addresses and links that confirm and unsubscribe. */
export interface MailReader {
  /** Lists the newest mails first. */
  list(limit: number): Promise<NewsletterMail[]>;
  /** Finds a mail by its id; undefined when there is none. */
  find(id: string): Promise<NewsletterMail | undefined>;
}
