import { randomUUID } from "node:crypto";
import { day, type Moment } from "../../../client/rules/time.ts";
import type { Site } from "../../sites/countries.ts";
import { enqueueMail } from "../mail/enqueue-mail.ts";
import type { Voucher } from "../mail/mail-data.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import type { Subscription } from "./find-subscription.ts";
import type { TokenTable } from "./newsletter-tables.ts";
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
  const [subscriberToken, unsubscribeToken] = [createToken(), createToken()];
  await addTokens(transaction, subscription, mailId, [
    { hash: subscriberToken.hash, purpose: "subscriber", expiresAt: at + newsletter.confirmWithinDays * day },
    { hash: unsubscribeToken.hash, purpose: "unsubscribe", expiresAt: null },
  ]);
  const data = { subscriberToken: subscriberToken.token, unsubscribeToken: unsubscribeToken.token };
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
  const data = { unsubscribeToken: await addUnsubscribeToken(transaction, subscription, mailId) };
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
  const unsubscribeToken = await addUnsubscribeToken(transaction, subscription, mailId);
  const data = { unsubscribeToken, ...(voucher && { voucher }) };
  await enqueueMail(transaction, { kind: "welcome", data, at, ...addressed(subscription) }, mailId);
  return mailId;
}

function addressed({ site, email }: Subscription) {
  return { site, recipient: email };
}

async function addUnsubscribeToken(
  transaction: StoreTransaction,
  subscription: Subscription,
  mailId: string,
): Promise<string> {
  const { token, hash } = createToken();
  await addTokens(transaction, subscription, mailId, [{ hash, purpose: "unsubscribe", expiresAt: null }]);
  return token;
}

/** Adds the tokens of a mail, in one statement. */
async function addTokens(
  transaction: StoreTransaction,
  { id: subscriptionId }: Subscription,
  mailId: string,
  tokens: Pick<TokenTable, "hash" | "purpose" | "expiresAt">[],
): Promise<void> {
  const own = { subscriptionId, mailId, usedAt: null, resentAt: null };
  await transaction
    .insertInto("newsletterToken")
    .values(tokens.map((token) => ({ ...token, ...own })))
    .execute();
}
