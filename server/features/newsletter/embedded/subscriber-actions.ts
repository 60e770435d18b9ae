import { normalizeEmail } from "../../../../client/rules/email.ts";
import { validateSubscription } from "../../../../client/rules/subscription.ts";
import { day, type Moment, minute } from "../../../../client/rules/time.ts";
import type { NewsletterChange, NewsletterEventReport } from "../../../../schemas/types.ts";
import { hmac } from "../../../platform/secret-keys.ts";
import { inTransaction, type StoreTransaction } from "../../../store/open-store.ts";
import { reserveSendSlots } from "../mail/mail-budgets.ts";
import { nextMailTimes } from "../mail/mailboxes.ts";
import type { Caller, ChangeResult, ConfirmResult, EndResult, ResendResult } from "../service.ts";
import { addEndEvent, addSubscriberEvent } from "../webhook/events.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import type { State } from "./newsletter-tables.ts";
import { emptiedFields, showFields, storeChange } from "./personal-fields.ts";
import {
  closeTokens,
  findByToken,
  findOnAllSites,
  findRecipient,
  hashToken,
  isExpired,
  type Subscription,
  sendMails,
} from "./subscriptions.ts";
import { issueVoucher } from "./vouchers.ts";

/**
 * Confirms a sign-up by the link of its mail. The same link gets the same answer again for as long as the subscription
 * lasts.
 */
export function confirmSubscription(context: NewsletterContext, token: string, caller: Caller): Promise<ConfirmResult> {
  const { addConsentRecords, clock, countries, db } = context;
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
    const voucher = await issueVoucher(transaction, subscription, countries.get(subscription.site), at);
    await addSubscriberEvent(context, transaction, "confirmed", { ...subscription, confirmedAt: at }, at);
    await addConsentRecords(transaction, [{ event: "confirmed", subscription, at, caller, mailId }]);
    await sendMails(transaction, [{ kind: "welcome", subscription, at, voucher }]);
    return { status: "subscribed" };
  });
}

/** Sends the confirmation mail of an unconfirmed sign-up again, once per mail and within the limits of its mailbox. */
export async function resendConfirmation(
  context: NewsletterContext,
  token: string,
  caller: Caller,
): Promise<ResendResult> {
  const { db, clock, countries, limits, suppression } = context;
  const at = clock();
  const refusal = await limits.checkNetwork(caller.address, at);
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
    await sendMails(transaction, [{ kind: "confirm", subscription, at: slot.at, queuedAt: at, confirmBy }]);
    return { status: "accepted" };
  });
}

/** Changes the data of a subscriber, by the rules of the sign-up. Absent fields stay as they are. */
export function changeSubscription(
  context: NewsletterContext,
  token: string,
  fields: NewsletterChange,
  caller: Caller,
): Promise<ChangeResult> {
  const { addConsentRecords, clock, countries, db } = context;
  const at = clock();
  return inTransaction(db, async (transaction) => {
    const found = await findByToken(transaction, token);
    if (found?.token.purpose !== "subscriber") return { status: "invalidToken" };
    const { state } = found.subscription;
    const country = countries.get(found.subscription.site);
    const isOpen = state === "confirmed" || (state === "pending" && !isExpired(found, at));
    if (!country || !isOpen) return { status: "invalidToken" };

    const columns = storeChange(fields);
    const subscription = { ...found.subscription, ...columns };
    const values = { email: subscription.email, ...showFields(subscription) };
    const faults = validateSubscription(values, country.newsletter);
    if (faults.length > 0) return { status: "invalid", faults };
    await transaction
      .updateTable("newsletterSubscription")
      .set({ ...columns, changedAt: at })
      .where("id", "=", subscription.id)
      .execute();
    if (state === "confirmed") await addSubscriberEvent(context, transaction, "changed", subscription, at);
    const { mailId } = found.token;
    await addConsentRecords(transaction, [{ event: "changed", subscription, at, caller, mailId }]);
    return { status: "changed", fields };
  });
}

/**
 * Unsubscribes, or refuses a sign-up that somebody else has made, after which no sign-up of the mailbox leads to a mail
 * for some weeks. The personal data except the address is deleted; the proof of consent stays. A repeated call gets the
 * same answer. It is recorded as well, as no consent from before it may be imported, unless it follows within a minute, as
 * the repetition of a mail program does.
 */
export function endSubscription(
  context: NewsletterContext,
  event: "refuse" | "unsubscribe",
  token: string,
  caller: Caller,
): Promise<EndResult> {
  const { addConsentRecords, clock, db, suppression } = context;
  const at = clock();
  return inTransaction(db, async (transaction) => {
    // The mailbox is locked before the subscription, as in a sign-up: in another order, the two could deadlock.
    const refused = event === "refuse" ? await findRecipient(transaction, token) : undefined;
    if (refused !== undefined) await suppression.suppress(transaction, refused, at, "refusal");
    const found = await findByToken(transaction, token);
    if (!found || (event === "refuse" && found.token.purpose !== "subscriber")) return { status: "invalidToken" };
    const { subscription } = found;
    const { state } = subscription;
    const ended = event === "refuse" && state !== "confirmed" ? "refused" : "withdrawn";
    const hasEnded = state === "withdrawn" || state === "refused";
    if (hasEnded && at < subscription.changedAt + minute) return { status: "ended" };
    if (!hasEnded) await deactivateSubscription(transaction, subscription, ended, at);
    if (state === "confirmed") await addEndEvent(context, transaction, subscription, "wish", at);
    const { mailId } = found.token;
    await addConsentRecords(transaction, [{ event: ended, subscription, at, caller, mailId }]);
    return { status: "ended" };
  });
}

/** Sets a state in which nothing is sent, and deletes the personal data except the address. */
export async function deactivateSubscription(
  transaction: StoreTransaction,
  subscription: Subscription,
  state: State,
  at: Moment,
): Promise<void> {
  await transaction
    .updateTable("newsletterSubscription")
    .set({ state, changedAt: at, ...emptiedFields })
    .where("id", "=", subscription.id)
    .execute();
  await closeTokens(transaction, subscription, at);
}

/**
 * Records that a subscriber has opened a newsletter, identified by any token of the subscription.
 * @returns false when the token belongs to no confirmed subscription
 */
export function recordOpening({ clock, db }: NewsletterContext, token: string): Promise<boolean> {
  const at = clock();
  return inTransaction(db, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("newsletterSubscription")
      .set({ lastOpenedAt: at })
      .where("id", "=", ({ selectFrom }) =>
        selectFrom("newsletterToken").select("subscriptionId").where("hash", "=", hashToken(token)),
      )
      .where("state", "=", "confirmed")
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

/** How a subscription ends after a report, in the proof of consent and in its event. */
const ends = {
  hard: { event: "stopped", reason: "bounced" },
  complaint: { event: "withdrawn", reason: "complained" },
} as const;

/**
 * Stores a report of the newsletter's sender, once. A hard bounce suppresses the address for some days, a complaint its
 * mailbox for good; both end its subscriptions. A soft bounce has no effect, as the mailbox exists.
 * @param id - the same when the report is repeated
 * @returns what was reported; undefined when it was known
 */
export function storeReport(
  context: NewsletterContext,
  id: string,
  { type, data }: NewsletterEventReport,
): Promise<"hard" | "soft" | "complaint" | undefined> {
  const { addConsentRecords, clock, db, keys, suppression } = context;
  const at = clock();
  const email = normalizeEmail(data.email);
  // An id may contain an address: senders choose it.
  const hashes = keys.verifying("newsletter-report").map((key) => hmac(key, id));
  const [hash = ""] = hashes;
  const kind = type === "subscription.complained" ? "complaint" : (data.kind ?? "hard");
  return inTransaction(db, async (transaction) => {
    const reports = transaction.selectFrom("newsletterReport").select("hash").where("hash", "in", hashes);
    if (await reports.executeTakeFirst()) return undefined;
    const added = await transaction
      .insertInto("newsletterReport")
      .values({ hash, receivedAt: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning("hash")
      .executeTakeFirst();
    if (!added) return undefined;
    if (kind === "soft") return kind;
    // The mailbox is locked before the subscriptions, as in a sign-up: in another order, the two could deadlock.
    if (kind === "hard") await suppression.recordBounce(transaction, email, at);
    else await suppression.suppress(transaction, email, at);
    const { event, reason } = ends[kind];
    for (const subscription of await findOnAllSites(transaction, [email])) {
      const { state, site } = subscription;
      if (state !== "confirmed" || (data.site !== undefined && data.site !== site)) continue;
      await deactivateSubscription(transaction, subscription, "withdrawn", at);
      await addEndEvent(context, transaction, subscription, reason, at);
      await addConsentRecords(transaction, [{ event, subscription, at }]);
    }
    return kind;
  });
}
