import type { Kysely } from "kysely";
import type { Moment } from "../../../client/rules/time.ts";
import type { Tables } from "../store/tables.ts";
import type { MailData, MailKind } from "./mail-data.ts";
import { mailboxOf } from "./mailbox.ts";

interface MailOf<Kind extends MailKind> {
  id: string;
  kind: Kind;
  site: string;
  recipient: string;
  data: MailData[Kind];
  /** When the mail is to go out. */
  at: Moment;
}

export type Mail = { [Kind in MailKind]: MailOf<Kind> }[MailKind];

/** Adds mails to the outbox. They are sent once the transaction is committed. */
export async function enqueueMails(transaction: Kysely<Tables>, mails: readonly Mail[]): Promise<void> {
  await transaction.insertInto("mailOutbox").values(mails.map(toRow)).execute();
}

function toRow({ id, kind, site, recipient, data, at }: Mail) {
  return {
    id,
    kind,
    site,
    recipient,
    mailbox: mailboxOf(recipient),
    data: JSON.stringify(data),
    state: "queued" as const,
    attempts: 0,
    nextAttemptAt: at,
    leasedUntil: null,
    createdAt: at,
    sentAt: null,
  };
}
