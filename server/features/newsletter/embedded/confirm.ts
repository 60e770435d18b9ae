import { randomInt } from "node:crypto";
import type { Moment } from "../../../../client/rules/time.ts";
import type { Site } from "../../../sites/countries.ts";
import { inTransaction, type StoreTransaction } from "../../../store/in-transaction.ts";
import { reserveSendSlots } from "../mail/mail-budgets.ts";
import { nextMailTimes } from "../mail/mailboxes.ts";
import type { Voucher } from "../mail/outbox.ts";
import type { Caller, ConfirmResult, ResendResult } from "../service.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { confirmMail, sendMails, welcomeMail } from "./newsletter-mails.ts";
import { transition } from "./newsletter-tables.ts";
import {
  closeTokens,
  findByToken,
  findRecipient,
  isExpired,
  type Subscription,
  type SubscriptionWithToken,
} from "./subscriptions.ts";

/** The alphabet of voucher codes, without characters that are easily confused when read or heard. */
const codeAlphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = 12;

/**
 * Confirms a sign-up by the link of its mail. The same link gets the same answer again for as long as the subscription
 * lasts.
 */
export function confirmSubscription(context: NewsletterContext, token: string, caller: Caller): Promise<ConfirmResult> {
  const at = context.clock();
  return inTransaction(context.db, async (transaction) => {
    const found = await findByToken(transaction, token);
    if (found?.token.purpose !== "subscriber") return { status: "invalidToken" };
    const { state } = found.subscription;
    if (found.token.usedAt !== null) {
      return state === "confirmed" ? { status: "subscribed", repeated: true } : { status: "invalidToken" };
    }
    if (isExpired(found, at)) return { status: "expired" };
    if (transition(state, "confirm") !== "confirmed") return { status: "invalidToken" };
    await storeConfirmation(context, transaction, found, caller, at);
    return { status: "subscribed", repeated: false };
  });
}

async function storeConfirmation(
  { addConsentRecords, countries, events }: NewsletterContext,
  transaction: StoreTransaction,
  { subscription, token: { mailId } }: SubscriptionWithToken,
  caller: Caller,
  at: Moment,
): Promise<void> {
  await transaction
    .updateTable("newsletterSubscription")
    .set({ state: "confirmed", confirmedAt: at, changedAt: at, sendingStoppedAt: null })
    .where("id", "=", subscription.id)
    .execute();
  await closeTokens(transaction, subscription, at);
  await events?.addSubscriberEvent(transaction, "confirmed", { ...subscription, confirmedAt: at }, at);
  await addConsentRecords(transaction, [{ event: "confirmed", subscription, at, caller, mailId }]);
  const voucher = await issueVoucher(transaction, subscription, countries.get(subscription.site), at);
  await sendMails(transaction, [welcomeMail(subscription, voucher, at)]);
}

/** Sends the confirmation mail of an unconfirmed sign-up again, once per mail and within the limits of its mailbox. */
export async function resendConfirmation(
  context: NewsletterContext,
  token: string,
  caller: Caller,
): Promise<ResendResult> {
  const { db, clock, countries, limits, suppression } = context;
  const at = clock();
  const refusal = await limits.check(caller.address, at);
  if (refusal) return refusal;
  return inTransaction(db, async (transaction) => {
    // The mailbox is locked before the subscription, as in a sign-up: in another order, the two could deadlock.
    const recipient = await findRecipient(transaction, token);
    if (recipient === undefined) return { status: "invalidToken" };
    const due = (await nextMailTimes(transaction, [recipient], at))(recipient);
    const found = await findByToken(transaction, token);
    if (found?.token.purpose !== "subscriber" || found.token.usedAt !== null) return { status: "invalidToken" };
    const { subscription } = found;
    const country = countries.get(subscription.site);
    const state = transition(subscription.state, "resend");
    if (!country || !state) return { status: "invalidToken" };
    if (found.token.resentAt !== null) return { status: "accepted" };
    const isSuppressed = (await suppression.find(transaction, [recipient], at)).has(recipient);
    if (isSuppressed || due > at) {
      limits.countHit({ limit: isSuppressed ? "suppressed" : "mailbox", outcome: "dropped" });
      return { status: "accepted" };
    }
    const slot = (await reserveSendSlots(transaction, [subscription.site], at))(subscription.site);
    if (slot.hit?.outcome === "refused") return limits.refuse(slot.hit, slot.at - at);
    limits.countHit(slot.hit);
    await transaction
      .updateTable("newsletterSubscription")
      .set({ state, changedAt: at })
      .where("id", "=", subscription.id)
      .execute();
    await transaction
      .updateTable("newsletterToken")
      .set({ resentAt: at })
      .where("hash", "=", found.token.hash)
      .execute();
    await sendMails(transaction, [confirmMail(subscription, country, slot.at)]);
    return { status: "accepted" };
  });
}

/**
 * Issues the voucher of a confirmed subscription, or finds the one that it already has.
 * @returns undefined when that one has expired
 */
async function issueVoucher(
  transaction: StoreTransaction,
  { id: subscriptionId, site }: Subscription,
  country: Site | undefined,
  at: Moment,
): Promise<Voucher | undefined> {
  if (country) {
    const { discount, validMonths, singleUse = false } = country.newsletter.voucher;
    const validUntil = validMonths === undefined ? null : addMonths(at, validMonths);
    const code = Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");
    await transaction
      .insertInto("voucher")
      .values({ code, subscriptionId, site, discount, singleUse: Number(singleUse), issuedAt: at, validUntil })
      .onConflict((conflict) => conflict.column("subscriptionId").doNothing())
      .execute();
  }
  const row = await transaction
    .selectFrom("voucher")
    .select(["code", "discount", "singleUse", "validUntil"])
    .where("subscriptionId", "=", subscriptionId)
    .where(({ eb, or }) => or([eb("validUntil", "is", null), eb("validUntil", ">", at)]))
    .executeTakeFirst();
  return row && { ...row, singleUse: row.singleUse === 1 };
}

function addMonths(at: Moment, months: number): Moment {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC").add({ months }).epochMilliseconds;
}
