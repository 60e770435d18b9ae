import type { Moment } from "../../../client/rules/time.ts";
import type { MailKind } from "./mail-data.ts";

declare module "../store/tables.ts" {
  interface Tables {
    mailOutbox: MailOutboxTable;
    mailbox: MailboxTable;
  }
}

interface MailOutboxTable {
  /** Id of the mail, which is also a part of its Message-ID at every attempt. */
  id: string;
  kind: MailKind;
  site: string;
  recipient: string;
  /** The recipient's mailbox, by which limits count: see mailbox.ts. */
  mailbox: string;
  /** The data of the mail's kind, as JSON. */
  data: string;
  state: "queued" | "sent" | "failed";
  attempts: number;
  nextAttemptAt: Moment;
  leasedUntil: Moment | null;
  createdAt: Moment;
  sentAt: Moment | null;
}

/** A mailbox for which mail was lately asked. */
interface MailboxTable {
  address: string;
  askedAt: Moment;
}
