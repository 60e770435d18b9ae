import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import { day, type Moment } from "../../../../client/rules/time.ts";
import type { Site } from "../../../sites/countries.ts";
import type { StoreTransaction } from "../../../store/in-transaction.ts";
import { enqueueMails, type Mail, type Voucher } from "../mail/outbox.ts";
import type { TokenTable } from "./newsletter-tables.ts";
import type { Subscription } from "./subscriptions.ts";
import { createToken } from "./subscriptions.ts";

/** A mail, and the rows of the tokens in its links. */
interface NewMail {
  mail: Mail;
  tokens: Insertable<TokenTable>[];
}

/** Sends mails, in as many statements for several as for one. */
export async function sendMails(transaction: StoreTransaction, mails: readonly NewMail[]): Promise<void> {
  await transaction
    .insertInto("newsletterToken")
    .values(mails.flatMap(({ tokens }) => tokens))
    .execute();
  await enqueueMails(
    transaction,
    mails.map(({ mail }) => mail),
  );
}

/** Creates the mail that asks for confirmation. */
export function confirmMail(subscription: Subscription, { newsletter }: Site, at: Moment): NewMail {
  const { addToken, envelope, tokens, unsubscribeToken } = startMail(subscription, at);
  const subscriberToken = addToken("subscriber", at + newsletter.confirmWithinDays * day);
  return { mail: { kind: "confirm", data: { subscriberToken, unsubscribeToken }, ...envelope }, tokens };
}

/** Creates the mail that tells subscribers that somebody has signed up their address again. */
export function alreadySubscribedMail(subscription: Subscription, at: Moment): NewMail {
  const { envelope, tokens, unsubscribeToken } = startMail(subscription, at);
  return { mail: { kind: "alreadySubscribed", data: { unsubscribeToken }, ...envelope }, tokens };
}

/** Creates the mail that follows the confirmation. */
export function welcomeMail(subscription: Subscription, voucher: Voucher | undefined, at: Moment): NewMail {
  const { envelope, tokens, unsubscribeToken } = startMail(subscription, at);
  const data = { unsubscribeToken, ...(voucher && { voucher }) };
  return { mail: { kind: "welcome", data, ...envelope }, tokens };
}

function startMail({ id: subscriptionId, site, email }: Subscription, at: Moment) {
  const envelope = { id: randomUUID(), site, recipient: email, at };
  const tokens: NewMail["tokens"] = [];
  const addToken = (purpose: TokenTable["purpose"], expiresAt: Moment | null = null) => {
    const { token, hash } = createToken();
    tokens.push({ hash, subscriptionId, purpose, mailId: envelope.id, expiresAt, usedAt: null, resentAt: null });
    return token;
  };
  return { addToken, envelope, tokens, unsubscribeToken: addToken("unsubscribe") };
}
