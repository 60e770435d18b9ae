import type { MailKind } from "./enqueue-mail.ts";

/** The mail's part of the store. */
export interface MailTables {
  mailOutbox: MailOutboxTable;
  mailbox: MailboxTable;
}

interface MailOutboxTable {
  /** Also the stable part of the mail's Message-ID. */
  id: string;
  kind: MailKind;
  site: string;
  recipient: string;
  /** The recipient's, by which limits count: see mailbox.ts. */
  mailbox: string;
  /** For the template, as JSON. */
  data: string;
  state: "queued" | "sent" | "failed";
  attempts: number;
  nextAttemptAt: number;
  leasedUntil: number | null;
  createdAt: number;
  sentAt: number | null;
}

/** Every mailbox that mail was lately asked for. */
interface MailboxTable {
  address: string;
  askedAt: number;
}
