import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tables } from "../store/tables.ts";
import { mailboxOf } from "./mailbox.ts";

export interface Voucher {
  code: string;
  /** In percent. */
  discount: number;
  singleUse: boolean;
  /** The first moment at which it isn't valid any more, in milliseconds since 1970 UTC; null when it has no end. */
  validUntil: number | null;
}

/** What each kind of mail tells. Tokens are needed to write its links; nothing else keeps them. */
export interface MailData {
  /** Asks whether the sign-up is meant. */
  confirm: { subscriberToken: string; unsubscribeToken: string };
  /** Follows the confirmation. No voucher where the subscriber has had one that is over. */
  welcome: { unsubscribeToken: string; voucher?: Voucher };
  /** Tells that somebody signed up the address of a subscriber. */
  alreadySubscribed: { unsubscribeToken: string };
}

export type MailKind = keyof MailData;

export interface Mail<Kind extends MailKind> {
  kind: Kind;
  site: string;
  recipient: string;
  data: MailData[Kind];
  /** When it is to go out, in milliseconds since 1970 UTC. */
  at: number;
}

/**
 * Adds a mail to the outbox; it is on its way once the transaction is committed.
 * @param id - given where what the mail is about names it
 */
export async function enqueueMail<Kind extends MailKind>(
  transaction: Kysely<Tables>,
  { kind, site, recipient, data, at }: Mail<Kind>,
  id: string = randomUUID(),
): Promise<void> {
  await transaction
    .insertInto("mailOutbox")
    .values({
      ...{ id, kind, site, recipient, mailbox: mailboxOf(recipient), data: JSON.stringify(data) },
      ...{ state: "queued", attempts: 0, nextAttemptAt: at, leasedUntil: null, createdAt: at, sentAt: null },
    })
    .execute();
}
