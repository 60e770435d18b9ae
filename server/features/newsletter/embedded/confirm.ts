import { day } from "../../../../client/rules/time.ts";
import { inTransaction } from "../../../store/open-store.ts";
import { reserveSendSlots } from "../mail/mail-budgets.ts";
import { nextMailTimes } from "../mail/mailboxes.ts";
import type { ConfirmResult, NewsletterCaller, ResendResult } from "../service.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { queueMails } from "./queue-mails.ts";
import { addSubscriberEvent } from "./subscriber-events.ts";
import { findByToken, findRecipient, isExpired } from "./subscriptions.ts";
import { closeTokens } from "./tokens.ts";
import { findVoucher } from "./vouchers.ts";
import { welcome } from "./welcome.ts";

/**
 * Confirms a sign-up by the link in its email. A repeated call gets the same answer as long as the subscription lasts.
 */
export function confirmSubscription(
  context: NewsletterContext,
  token: string,
  caller: NewsletterCaller,
): Promise<ConfirmResult> {
  const { addConsentRecords, clock, db } = context;
  const at = clock();
  return inTransaction(db, async (transaction) => {
    const found = await findByToken(transaction, token);
    if (found?.token.purpose !== "subscriber") return { status: "invalidToken" };
    const { subscription } = found;
    const { mailId, usedAt } = found.token;
    if (usedAt !== null) return { status: subscription.state === "confirmed" ? "subscribed" : "invalidToken" };
    if (isExpired(found, at)) return { status: "expired" };
    if (subscription.state !== "pending") return { status: "invalidToken" };

    await transaction
      .updateTable("newsletterSubscription")
      .set({ state: "confirmed", confirmedAt: at, changedAt: at, sendingStoppedAt: null })
      .where("id", "=", subscription.id)
      .execute();
    await closeTokens(transaction, subscription, at);
    await welcome(context, transaction, subscription, at);
    await addSubscriberEvent(context, transaction, "confirmed", { ...subscription, confirmedAt: at }, at);
    await addConsentRecords(transaction, [{ event: "confirmed", subscription, at, caller, mailId }]);
    const voucher = await findVoucher(transaction, subscription.id, at);
    return { status: "subscribed", voucherCode: voucher?.code };
  });
}

/**
 * Sends the confirmation email of an unconfirmed sign-up again, within the limits of its mailbox. The link of each
 * email can request this once.
 */
export async function resendConfirmation(
  context: NewsletterContext,
  token: string,
  caller: NewsletterCaller,
): Promise<ResendResult> {
  const { db, clock, countries, limits, suppression } = context;
  const at = clock();
  const refusal = await limits.checkNetwork(caller.address, at);
  if (refusal) return refusal;
  return inTransaction(db, async (transaction) => {
    // Locks the mailbox before the subscription, as a sign-up does. In another order, the two could deadlock.
    const recipient = await findRecipient(transaction, token);
    if (recipient === undefined) return { status: "invalidToken" };
    const due = (await nextMailTimes(transaction, [recipient], at))(recipient);
    const found = await findByToken(transaction, token);
    if (found?.token.purpose !== "subscriber" || found.token.usedAt !== null) return { status: "invalidToken" };
    const { subscription } = found;
    const country = countries.get(subscription.site);
    const isUnconfirmed = subscription.state === "pending" || subscription.state === "expired";
    if (!country || !isUnconfirmed) return { status: "invalidToken" };
    if (found.token.resentAt !== null) return { status: "accepted" };
    const isSuppressed = (await suppression.find(transaction, [recipient], at)).has(recipient);
    if (isSuppressed || due > at) {
      limits.apply({ limit: isSuppressed ? "suppressed" : "mailbox", outcome: "dropped" }, 0);
      return { status: "accepted" };
    }
    const slot = (await reserveSendSlots(transaction, [subscription], at))(subscription);
    const refused = limits.apply(slot.hit, slot.at - at);
    if (refused) return refused;
    if (slot.hit?.outcome === "dropped") return { status: "accepted" };
    await transaction
      .updateTable("newsletterSubscription")
      .set({ state: "pending", changedAt: at })
      .where("id", "=", subscription.id)
      .execute();
    await transaction
      .updateTable("newsletterToken")
      .set({ resentAt: at })
      .where("hash", "=", found.token.hash)
      .execute();
    const confirmBy = slot.at + country.newsletter.confirmWithinDays * day;
    await queueMails(transaction, [{ kind: "confirm", subscription, at: slot.at, queuedAt: at, confirmBy }]);
    return { status: "accepted" };
  });
}
