import { randomUUID } from "node:crypto";
import { day, type Moment } from "../../../client/rules/time.ts";
import type { Site } from "../../sites/countries.ts";
import { enqueueMail } from "../mail/enqueue-mail.ts";
import type { Voucher } from "../mail/mail-data.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import type { Subscription } from "./find-subscription.ts";
import { createToken } from "./tokens.ts";

/**
 * Sends the mail that asks for confirmation.
 * @returns the id of the mail
 */
export async function sendConfirm(
  transaction: StoreTransaction,
  subscription: Subscription,
  { newsletter }: Site,
  at: Moment,
): Promise<string> {
  const mailId = randomUUID();
  const expiresAt = at + newsletter.confirmWithinDays * day;
  const subscriberToken = await addToken(transaction, subscription, "subscriber", mailId, expiresAt);
  const unsubscribeToken = await addToken(transaction, subscription, "unsubscribe", mailId);
  const data = { subscriberToken, unsubscribeToken };
  await enqueueMail(transaction, { kind: "confirm", data, at, ...addressed(subscription) }, mailId);
  return mailId;
}

/** Tells a subscriber that somebody has signed up the address again. */
export async function sendAlreadySubscribed(
  transaction: StoreTransaction,
  subscription: Subscription,
  at: Moment,
): Promise<string> {
  const mailId = randomUUID();
  const data = { unsubscribeToken: await addToken(transaction, subscription, "unsubscribe", mailId) };
  await enqueueMail(transaction, { kind: "alreadySubscribed", data, at, ...addressed(subscription) }, mailId);
  return mailId;
}

export async function sendWelcome(
  transaction: StoreTransaction,
  subscription: Subscription,
  voucher: Voucher | undefined,
  at: Moment,
): Promise<string> {
  const mailId = randomUUID();
  const unsubscribeToken = await addToken(transaction, subscription, "unsubscribe", mailId);
  const data = { unsubscribeToken, ...(voucher && { voucher }) };
  await enqueueMail(transaction, { kind: "welcome", data, at, ...addressed(subscription) }, mailId);
  return mailId;
}

function addressed({ site, email }: Subscription) {
  return { site, recipient: email };
}

async function addToken(
  transaction: StoreTransaction,
  { id: subscriptionId }: Subscription,
  purpose: "subscriber" | "unsubscribe",
  mailId: string,
  expiresAt: Moment | null = null,
): Promise<string> {
  const { token, hash } = createToken();
  await transaction
    .insertInto("newsletterToken")
    .values({ hash, subscriptionId, purpose, mailId, expiresAt, usedAt: null, resentAt: null })
    .execute();
  return token;
}
