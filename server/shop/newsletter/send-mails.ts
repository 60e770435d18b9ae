import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import { day, type Moment } from "../../../client/rules/time.ts";
import type { Site } from "../../sites/countries.ts";
import { enqueueMails, type Mail } from "../mail/enqueue-mails.ts";
import type { Voucher } from "../mail/mail-data.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import type { Subscription } from "./find-subscription.ts";
import type { TokenTable } from "./newsletter-tables.ts";
import { createToken } from "./tokens.ts";

/** A mail of the newsletter, and the tokens of its links as the store has them. */
export interface NewsletterMail {
  mail: Mail;
  tokens: Insertable<TokenTable>[];
}

/** Sends mails, in as many statements for several as for one. */
export async function sendMails(transaction: StoreTransaction, mails: readonly NewsletterMail[]): Promise<void> {
  await transaction
    .insertInto("newsletterToken")
    .values(mails.flatMap(({ tokens }) => tokens))
    .execute();
  await enqueueMails(
    transaction,
    mails.map(({ mail }) => mail),
  );
}

/** Makes the mail that asks for confirmation. */
export function confirmMail(subscription: Subscription, { newsletter }: Site, at: Moment): NewsletterMail {
  const envelope = envelopeOf(subscription, at);
  const subscriber = createTokenOf(envelope, subscription, "subscriber", at + newsletter.confirmWithinDays * day);
  const unsubscribe = createTokenOf(envelope, subscription, "unsubscribe", null);
  const data = { subscriberToken: subscriber.token, unsubscribeToken: unsubscribe.token };
  return { mail: { kind: "confirm", data, ...envelope }, tokens: [subscriber.row, unsubscribe.row] };
}

/** Makes the mail that tells a subscriber that somebody has signed up the address again. */
export function alreadySubscribedMail(subscription: Subscription, at: Moment): NewsletterMail {
  const envelope = envelopeOf(subscription, at);
  const unsubscribe = createTokenOf(envelope, subscription, "unsubscribe", null);
  const data = { unsubscribeToken: unsubscribe.token };
  return { mail: { kind: "alreadySubscribed", data, ...envelope }, tokens: [unsubscribe.row] };
}

/** Makes the mail that follows the confirmation. */
export function welcomeMail(subscription: Subscription, voucher: Voucher | undefined, at: Moment): NewsletterMail {
  const envelope = envelopeOf(subscription, at);
  const unsubscribe = createTokenOf(envelope, subscription, "unsubscribe", null);
  const data = { unsubscribeToken: unsubscribe.token, ...(voucher && { voucher }) };
  return { mail: { kind: "welcome", data, ...envelope }, tokens: [unsubscribe.row] };
}

function envelopeOf({ site, email }: Subscription, at: Moment): Pick<Mail, "id" | "site" | "recipient" | "at"> {
  return { id: randomUUID(), site, recipient: email, at };
}

function createTokenOf(
  { id: mailId }: Pick<Mail, "id">,
  { id: subscriptionId }: Subscription,
  purpose: TokenTable["purpose"],
  expiresAt: Moment | null,
) {
  const { token, hash } = createToken();
  return { token, row: { hash, subscriptionId, purpose, mailId, expiresAt, usedAt: null, resentAt: null } };
}
