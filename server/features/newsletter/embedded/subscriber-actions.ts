import { validateSubscription } from "../../../../client/rules/subscription.ts";
import { type Moment, minute } from "../../../../client/rules/time.ts";
import type { NewsletterChange } from "../../../../schemas/types.ts";
import { inTransaction, type StoreTransaction } from "../../../store/open-store.ts";
import { offersCategories } from "../check-categories.ts";
import type { ChangeResult, EndResult, NewsletterCaller } from "../service.ts";
import type { ConsentForm } from "./consent-records.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import type { State } from "./newsletter-tables.ts";
import { emptiedFields, showFields, storeChange } from "./personal-fields.ts";
import { addEndEvent, addSubscriberEvent } from "./subscriber-events.ts";
import { findByToken, findRecipient, isExpired, mayChange, type Subscription } from "./subscriptions.ts";
import { endTokens } from "./tokens.ts";
import { stopWaiting } from "./welcome.ts";

/**
 * Changes the data of a subscriber, by the rules of the sign-up. Absent fields stay as they are.
 * @param form - the form that the subscriber has seen, whose text becomes part of the proof
 */
export function changeSubscription(
  context: NewsletterContext,
  token: string,
  fields: NewsletterChange,
  caller: NewsletterCaller,
  form?: ConsentForm,
): Promise<ChangeResult> {
  const { addConsentRecords, clock, countries, db } = context;
  const at = clock();
  return inTransaction(db, async (transaction) => {
    const found = await findByToken(transaction, token);
    if (!found || !mayChange(found.token)) return { status: "invalidToken" };
    const { state } = found.subscription;
    const country = countries.get(found.subscription.site);
    const isOpen = state === "confirmed" || (state === "pending" && !isExpired(found, at));
    if (!country || !isOpen) return { status: "invalidToken" };

    if (!offersCategories(fields.categories ?? [], country)) return { status: "notOffered", site: country };
    const columns = storeChange(fields);
    const subscription = { ...found.subscription, ...columns };
    const values = { email: subscription.email, ...showFields(subscription) };
    const faults = validateSubscription(values, country.newsletter);
    // The subscriber's page doesn't ask for the consent to commercial messages, which an import may lack.
    const wrong = form === "preferences" ? faults.filter(({ field }) => field !== "legals") : faults;
    if (wrong.length > 0) return { status: "invalid", faults: wrong };
    await transaction
      .updateTable("newsletterSubscription")
      .set({ ...columns, changedAt: at })
      .where("id", "=", subscription.id)
      .execute();
    if (state === "confirmed") await addSubscriberEvent(context, transaction, "changed", subscription, at);
    const { mailId } = found.token;
    await addConsentRecords(transaction, [{ event: "changed", subscription, at, caller, mailId, form }]);
    return { status: "changed", fields };
  });
}

/**
 * Unsubscribes, or refuses a sign-up that somebody else has made. After a refusal, sign-ups of the mailbox lead to no
 * email for some weeks. Deletes the personal data except the address; the proof of consent stays. A repeated call gets
 * the same answer. It is recorded, too, so that no earlier consent can be imported afterwards, unless it follows within
 * a minute, as repetitions by mail programs do.
 */
export function endSubscription(
  context: NewsletterContext,
  event: "refuse" | "unsubscribe",
  token: string,
  caller: NewsletterCaller,
): Promise<EndResult> {
  const { addConsentRecords, clock, db, suppression } = context;
  const at = clock();
  return inTransaction(db, async (transaction) => {
    // Locks the mailbox before the subscription, as a sign-up does. In another order, the two could deadlock.
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

/** Sets a state in which no newsletter is sent, and deletes the personal data except the address. */
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
  await endTokens(transaction, subscription, at);
  await stopWaiting(transaction, [subscription.id]);
}
