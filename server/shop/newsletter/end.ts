import type { Moment } from "../../../client/rules/time.ts";
import type { Caller, EndResult } from "../../services/newsletter-service.ts";
import { inTransaction, type StoreTransaction } from "../store/in-transaction.ts";
import { addConsentRecords } from "./consent-records.ts";
import { closeTokens, findByToken, type Subscription } from "./find-subscription.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";
import { type State, transition } from "./states.ts";

/**
 * Ends a subscription, or a sign-up that wasn't confirmed. All that is known of the person but the address is removed;
 * the proof of consent stays. A repeated call gets the same answer.
 */
export function end(
  parts: NewsletterParts,
  event: "refuse" | "unsubscribe",
  token: string,
  caller: Caller,
): Promise<EndResult> {
  const at = parts.clock();
  return inTransaction(parts.db, async (transaction) => {
    const held = await findByToken(transaction, token);
    if (!held || (event === "refuse" && held.token.purpose !== "subscriber")) return { status: "invalidToken" };
    const { subscription } = held;
    const state = transition(subscription.state, event);
    if (state === undefined) return { status: "invalidToken" };
    if (state !== subscription.state) {
      await leave(transaction, subscription, state, at);
      if (subscription.state === "confirmed") await parts.events.tellEnd(transaction, subscription, "wish", at);
      await addConsentRecords(parts, transaction, [
        {
          event: state === "refused" ? "refused" : "withdrawn",
          subscription,
          at,
          caller,
          mailId: held.token.mailId,
        },
      ]);
    }
    return { status: "ended" };
  });
}

/** Takes a subscription into a state in which nothing is sent. */
export async function leave(
  transaction: StoreTransaction,
  subscription: Subscription,
  state: State,
  at: Moment,
): Promise<void> {
  await transaction
    .updateTable("newsletterSubscription")
    .set({ state, changedAt: at, salutation: null, firstName: null, lastName: null, consents: "[]", categories: null })
    .where("id", "=", subscription.id)
    .execute();
  await closeTokens(transaction, subscription, at);
}
