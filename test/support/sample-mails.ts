import { randomUUID } from "node:crypto";
import type { Moment } from "../../client/rules/time.ts";
import type { MailData, MailKind, QueuedMail } from "../../server/features/newsletter/mail/outbox.ts";

/** Saturday, 21 November 2026, 22:30 in Germany: the next day in Turkey. */
export const enqueuedAt = Date.UTC(2026, 10, 21, 21, 30);

/** Midnight before 23 December 2026 in Germany, when a voucher expires: 02:00 in Turkey. */
const voucherEnds: Moment = Date.UTC(2026, 11, 22, 23);

const links = { unsubscribeToken: "unsubscribe-token_1", preferencesToken: "preferences-token_1" };
const tokens = { ...links, subscriberToken: "subscriber-token_1" };

/** Every kind of mail, with and without its optional data. */
export const samples: { name: string; kind: MailKind; data: MailData[MailKind] }[] = [
  { name: "confirm", kind: "confirm", data: tokens },
  {
    name: "welcome with a voucher for a month",
    kind: "welcome",
    data: {
      ...links,
      voucher: { code: "WELCOME-4F7K-9Q2M", discount: 10, singleUse: true, validUntil: voucherEnds },
    },
  },
  {
    name: "welcome with a voucher without end",
    kind: "welcome",
    data: {
      ...links,
      voucher: { code: "WELCOME-4F7K-9Q2M", discount: 10, singleUse: false, validUntil: null },
    },
  },
  { name: "welcome without a voucher", kind: "welcome", data: links },
  { name: "alreadySubscribed", kind: "alreadySubscribed", data: links },
  { name: "preferences", kind: "preferences", data: links },
];

/** Creates a row of the outbox. */
export function queued(changes: Partial<QueuedMail> = {}): QueuedMail {
  return {
    id: randomUUID(),
    kind: "confirm",
    site: "DE",
    recipient: "anna@shop.example",
    mailbox: "anna@shop.example",
    data: JSON.stringify(tokens),
    state: "queued",
    attempts: 1,
    nextAttemptAt: enqueuedAt,
    leasedUntil: null,
    createdAt: enqueuedAt,
    sentAt: null,
    queuedAt: enqueuedAt,
    ...changes,
  };
}
