import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Moment } from "../../../client/rules/time.ts";
import type { Tables } from "../store/tables.ts";
import type { MailData, MailKind } from "./mail-data.ts";
import { mailboxOf } from "./mailbox.ts";

export interface Mail<Kind extends MailKind> {
  kind: Kind;
  site: string;
  recipient: string;
  data: MailData[Kind];
  /** When the mail is to go out. */
  at: Moment;
}

/**
 * Adds a mail to the outbox. It is sent once the transaction is committed.
 * @param id - the mail's id, given where what the mail is about refers to it
 */
export async function enqueueMail<Kind extends MailKind>(
  transaction: Kysely<Tables>,
  { kind, site, recipient, data, at }: Mail<Kind>,
  id: string = randomUUID(),
): Promise<void> {
  await transaction
    .insertInto("mailOutbox")
    .values({
      id,
      kind,
      site,
      recipient,
      mailbox: mailboxOf(recipient),
      data: JSON.stringify(data),
      state: "queued",
      attempts: 0,
      nextAttemptAt: at,
      leasedUntil: null,
      createdAt: at,
      sentAt: null,
    })
    .execute();
}
