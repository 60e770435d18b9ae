import type { Moment } from "../../../../client/rules/time.ts";
import type { EndedEvent, SubscriberEvent } from "../../../../schemas/types.ts";
import { toIso } from "../../../platform/time.ts";
import type { StoreTransaction } from "../../../store/open-store.ts";
import { preferencesPath } from "../service.ts";
import { enqueueEvent } from "../webhook/events.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { addSenderTokens, toSenderTokens } from "./sender-tokens.ts";
import { type Subscription, toSubscriber } from "./subscriptions.ts";
import { findVoucher } from "./vouchers.ts";

/** Reports the end of a confirmed subscription to the webhook, if there is one. */
export async function addEndEvent(
  { hasReceiver }: Pick<NewsletterContext, "hasReceiver">,
  transaction: StoreTransaction,
  { id, site, email }: Subscription,
  reason: EndedEvent["data"]["reason"],
  at: Moment,
): Promise<void> {
  const data = { id, site, email, status: "UNSUBSCRIBED", consents: [], reason };
  if (hasReceiver) await enqueueEvent(transaction, { type: "unsubscribed", data, at });
}

/** Reports the data of a confirmed subscriber to the webhook, if there is one. */
export async function addSubscriberEvent(
  { countries, hasReceiver, senderTokenOf, preferencesTokenOf }: NewsletterContext,
  transaction: StoreTransaction,
  type: "confirmed" | "changed",
  subscription: Subscription,
  at: Moment,
): Promise<void> {
  if (!hasReceiver) return;
  const { id, site } = subscription;
  const country = countries.get(site);
  const subscriber = toSubscriber(subscription);
  const tokens = { token: senderTokenOf(id), preferencesToken: preferencesTokenOf(subscriber) };
  await addSenderTokens(transaction, toSenderTokens(id, tokens));
  const voucher = await findVoucher(transaction, id, at);
  const data = {
    ...subscriber,
    status: "SUBSCRIBED",
    locale: country?.locale ?? null,
    voucher: voucher ? { code: voucher.code } : null,
    consent: await findConsent(transaction, subscription),
    // The worker adds the token, because waiting events have none.
    preferencesUrl: country ? country.origin + preferencesPath : null,
  };
  await enqueueEvent(transaction, { type, data, at });
}

/**
 * Finds the declaration that the subscriber has confirmed. It may not be the latest, because somebody may have signed
 * up the address again.
 */
async function findConsent(
  transaction: StoreTransaction,
  { id, confirmedAt }: Subscription,
): Promise<SubscriberEvent["data"]["consent"]> {
  const requested = await transaction
    .selectFrom("consentRecord")
    .select(["textVersion", "at"])
    .where("subscriptionId", "=", id)
    .where("event", "=", "requested")
    .where("at", "<=", confirmedAt ?? 0)
    .orderBy("at", "desc")
    .executeTakeFirst();
  return requested?.textVersion ? { version: requested.textVersion, at: toIso(requested.at) } : null;
}
