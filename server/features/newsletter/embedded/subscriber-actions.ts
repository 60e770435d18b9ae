import { validateSubscription } from "../../../../client/rules/subscription.ts";
import type { Moment } from "../../../../client/rules/time.ts";
import type { NewsletterChange } from "../../../../schemas/types.ts";
import { UnavailableError } from "../../../platform/errors.ts";
import { inTransaction, type StoreTransaction } from "../../../store/in-transaction.ts";
import type { Database } from "../../../store/open-store.ts";
import type { Caller, ChangeResult, EndResult, KnownSubscription, ReadResult, SubscriptionStatus } from "../service.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import type { State } from "./newsletter-tables.ts";
import { emptiedFields, showFields, storeChange } from "./personal-fields.ts";
import { closeTokens, findByToken, findRecipient, hashToken, isExpired, type Subscription } from "./subscriptions.ts";

const statuses: Record<State, SubscriptionStatus> = {
  pending: "WAITING_FOR_DOI",
  confirmed: "SUBSCRIBED",
  withdrawn: "UNSUBSCRIBED",
  refused: "UNSUBSCRIBED",
  expired: "NONE",
};

/** Reads the subscription of a subscriber's token. */
export async function readSubscription({ db, clock }: NewsletterContext, token: string): Promise<ReadResult> {
  const row = await db
    .selectFrom("newsletterToken")
    .innerJoin("newsletterSubscription", "newsletterSubscription.id", "subscriptionId")
    .select(["state", "site", "consents", "expiresAt"])
    .where("hash", "=", hashToken(token))
    .where("purpose", "=", "subscriber")
    .executeTakeFirst()
    .catch(throwUnavailable);
  if (!row) return { status: "invalidToken" };
  const { state, site, consents, expiresAt } = row;
  const isOverdue = state === "pending" && expiresAt !== null && expiresAt <= clock();
  const status = statuses[isOverdue ? "expired" : state];
  return { status: "found", subscription: { status, site, consents: JSON.parse(consents) } };
}

/** Lists the subscriptions of a normalized address. */
export async function listSubscriptions({ db }: { db: Database }, email: string): Promise<KnownSubscription[]> {
  const rows = await db
    .selectFrom("newsletterSubscription")
    .selectAll()
    .where("email", "=", email)
    .orderBy("confirmedAt", "desc")
    .execute()
    .catch(throwUnavailable);
  return rows.map((row) => ({ site: row.site, status: statuses[row.state], ...showFields(row) }));
}

function throwUnavailable(cause: unknown): never {
  throw new UnavailableError("the store can't be read", { cause });
}

/** Changes the data of a subscriber, by the rules of the sign-up. Absent fields stay as they are. */
export function changeSubscription(
  { addConsentRecords, clock, countries, db, events }: NewsletterContext,
  token: string,
  fields: NewsletterChange,
  caller: Caller,
): Promise<ChangeResult> {
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
    if (state === "confirmed") await events?.addSubscriberEvent(transaction, "changed", subscription, at);
    const { mailId } = found.token;
    await addConsentRecords(transaction, [{ event: "changed", subscription, at, caller, mailId }]);
    return { status: "changed", fields };
  });
}

/**
 * Unsubscribes, or refuses a sign-up that somebody else has made, after which no sign-up of the mailbox leads to a mail
 * for some weeks. The personal data except the address is deleted; the proof of consent stays. A repeated call gets the
 * same answer.
 */
export function endSubscription(
  { addConsentRecords, clock, db, events, suppression }: NewsletterContext,
  event: "refuse" | "unsubscribe",
  token: string,
  caller: Caller,
): Promise<EndResult> {
  const at = clock();
  return inTransaction(db, async (transaction) => {
    // The mailbox is locked before the subscription, as in a sign-up: in another order, the two could deadlock.
    const refused = event === "refuse" ? await findRecipient(transaction, token) : undefined;
    if (refused !== undefined) await suppression.suppress(transaction, refused, at, "refusal");
    const found = await findByToken(transaction, token);
    if (!found || (event === "refuse" && found.token.purpose !== "subscriber")) return { status: "invalidToken" };
    const { subscription } = found;
    const { state } = subscription;
    if (state === "withdrawn" || state === "refused") return { status: "ended" };
    const ended = event === "refuse" && state !== "confirmed" ? "refused" : "withdrawn";
    await deactivateSubscription(transaction, subscription, ended, at);
    if (state === "confirmed") await events?.addEndEvent(transaction, subscription, "wish", at);
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
