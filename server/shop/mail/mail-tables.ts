import type { Moment } from "../../../client/rules/time.ts";
import type { QueueColumns } from "../queue/queue-columns.ts";
import type { MailKind } from "./mail-data.ts";

declare module "../store/tables.ts" {
  interface Tables {
    mailOutbox: MailOutboxTable;
    mailbox: MailboxTable;
    mailBudget: MailBudgetTable;
    suppressedMailbox: SuppressedMailboxTable;
  }
}

/** Its id is also a part of the mail's Message-ID at every attempt. */
interface MailOutboxTable extends QueueColumns {
  kind: MailKind;
  site: string;
  recipient: string;
  /** The recipient's mailbox, by which limits count: see mailbox.ts. */
  mailbox: string;
  /** The data of the mail's kind, as JSON. */
  data: string;
  state: "queued" | "sent" | "failed";
  sentAt: Moment | null;
}

/** A mailbox for which mail was lately asked. */
interface MailboxTable {
  address: string;
  askedAt: Moment;
}

interface MailBudgetTable {
  /** Code of a site, or that of all together. */
  name: string;
  /** Until when the budget is spent, at its pace: each mail takes its part of an hour. */
  spentUntil: Moment;
}

/** A mailbox, or an address, to which no mail goes that anybody can ask for: see suppression.ts. */
interface SuppressedMailboxTable {
  /** HMAC of it, in base64url. */
  hash: string;
  /** Its owner wants no mail, or its server doesn't know it. */
  reason: "wish" | "bounce";
  since: Moment;
  /** When the mailbox may get mail again; null when it never may. */
  endsAt: Moment | null;
}
