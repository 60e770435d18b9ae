import type { Moment } from "../../../client/rules/time.ts";
import type { Caller, ConfirmResult } from "../../services/newsletter-service.ts";
import { inTransaction, type StoreTransaction } from "../store/in-transaction.ts";
import { addConsentRecords } from "./consent-records.ts";
import { closeTokens, findByToken, type Held } from "./find-subscription.ts";
import { issueVoucher } from "./issue-voucher.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";
import { sendMails, welcomeMail } from "./send-mails.ts";
import { transition } from "./states.ts";

/**
 * Confirms the sign-up of a mail's link. Used again, the link gets the same answer for as long as the subscription
 * lasts.
 */
export function confirm(parts: NewsletterParts, token: string, caller: Caller): Promise<ConfirmResult> {
  const at = parts.clock();
  return inTransaction(parts.db, async (transaction) => {
    const held = await findByToken(transaction, token);
    if (held?.token.purpose !== "subscriber") return { status: "invalidToken" };
    const { state } = held.subscription;
    if (held.token.usedAt !== null) {
      return state === "confirmed" ? { status: "subscribed", repeated: true } : { status: "invalidToken" };
    }
    if (isExpired(held, at)) return { status: "expired" };
    if (transition(state, "confirm") !== "confirmed") return { status: "invalidToken" };
    await settle(parts, transaction, { held, caller, at });
    return { status: "subscribed", repeated: false };
  });
}

/** Tells whether the link of a mail is too old. */
export function isExpired({ token, subscription }: Held, at: Moment): boolean {
  return subscription.state === "expired" || (token.expiresAt !== null && token.expiresAt <= at);
}

interface Confirmation {
  held: Held;
  caller: Caller;
  at: Moment;
}

async function settle(
  parts: NewsletterParts,
  transaction: StoreTransaction,
  { held, caller, at }: Confirmation,
): Promise<void> {
  const { subscription, token } = held;
  await transaction
    .updateTable("newsletterSubscription")
    .set({ state: "confirmed", confirmedAt: at, changedAt: at, sendingStoppedAt: null })
    .where("id", "=", subscription.id)
    .execute();
  await closeTokens(transaction, subscription, at);
  await parts.events.tellSubscriber(transaction, "confirmed", { ...subscription, confirmedAt: at }, at);
  const { mailId } = token;
  await addConsentRecords(parts, transaction, [{ event: "confirmed", subscription, at, caller, mailId }]);
  const voucher = await issueVoucher(transaction, subscription, parts.countries.get(subscription.site), at);
  await sendMails(transaction, [welcomeMail(subscription, voucher, at)]);
}
