import type { Moment } from "../../../client/rules/time.ts";
import type { MailKind } from "./mail-data.ts";

declare module "../store/tables.ts" {
  interface Tables {
    mailOutbox: MailOutboxTable;
    mailbox: MailboxTable;
  }
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
  nextAttemptAt: Moment;
  leasedUntil: Moment | null;
  createdAt: Moment;
  sentAt: Moment | null;
}

/** Every mailbox that mail was lately asked for. */
interface MailboxTable {
  address: string;
  askedAt: Moment;
}
