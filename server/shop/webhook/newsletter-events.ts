import type { Moment } from "../../../client/rules/time.ts";
import type { EndedEvent } from "../../../schemas/types.ts";
import type { Subscription } from "../newsletter/find-subscription.ts";
import type { SenderTokens } from "../newsletter/sender-tokens.ts";
import { toSubscriber } from "../newsletter/subscriber.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import { enqueueEvent } from "./enqueue-event.ts";

/** What the newsletter's receiver is told of. Each event is added in the transaction of what it tells. */
export interface NewsletterEvents {
  /** Tells what is known of a subscriber, who is confirmed. */
  tellSubscriber(
    transaction: StoreTransaction,
    type: "confirmed" | "changed",
    subscription: Subscription,
    at: Moment,
  ): Promise<void>;
  /** Tells that a confirmed subscription has ended. */
  tellEnd(
    transaction: StoreTransaction,
    subscription: Subscription,
    reason: EndedEvent["data"]["reason"],
    at: Moment,
  ): Promise<void>;
  /** Is to be called after the transaction is committed. */
  wake(): void;
}

export function createNewsletterEvents(tokens: SenderTokens, wake: () => void): NewsletterEvents {
  return {
    async tellSubscriber(transaction, type, subscription, at) {
      await tokens.admit(transaction, [subscription.id]);
      await enqueueEvent(transaction, { type, data: toSubscriber(subscription), at });
    },
    async tellEnd(transaction, { id, site, email }, reason, at) {
      const data = { id, site, email, reason };
      await enqueueEvent(transaction, { type: "unsubscribed", data, at });
    },
    wake,
  };
}

/** Tells nobody. */
export const noEvents: NewsletterEvents = {
  tellSubscriber: async () => undefined,
  tellEnd: async () => undefined,
  wake() {},
};
