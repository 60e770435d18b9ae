import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Moment } from "../../../../client/rules/time.ts";
import type { EndedEvent } from "../../../../schemas/types.ts";
import type { StoreTransaction } from "../../../store/in-transaction.ts";
import type { QueueColumns } from "../../../store/queue.ts";
import { type SenderTokens, type Subscription, toSubscriber } from "../embedded/subscriptions.ts";

declare module "../../../store/tables.ts" {
  interface Tables {
    newsletterEvent: NewsletterEventTable;
  }
}

/** An event for the webhook, deleted once it is delivered. It may outlive its subscription. */
interface NewsletterEventTable extends QueueColumns {
  type: EventType;
  subscriptionId: string;
  /** Orders the events of a subscription. */
  position: number;
  /** JSON, without tokens. */
  data: string;
}

type EventType = "confirmed" | "changed" | "unsubscribed" | "erased";

interface NewEvent {
  type: EventType;
  /** By schemas/newsletter-event.schema.json, without the token. */
  data: { id: string; site: string; [name: string]: unknown };
  at: Moment;
  /** When it may be sent; at once by default. */
  due?: Moment | undefined;
}

/**
 * Queues an event, to be sent after the commit and after earlier ones of its subscription. The transaction must hold the
 * lock of the subscription, so that no other event takes the same position.
 */
export async function enqueueEvent(transaction: StoreTransaction, { type, data, at, due = at }: NewEvent) {
  const { id: subscriptionId } = data;
  await transaction
    .insertInto("newsletterEvent")
    .values({
      id: randomUUID(),
      ...{ type, subscriptionId },
      position: sql`(select coalesce(max(position), 0) + 1 from newsletter_event where subscription_id = ${subscriptionId})`,
      data: JSON.stringify(data),
      ...{ attempts: 0, nextAttemptAt: due, leasedUntil: null, createdAt: at },
    })
    .execute();
}

/** Queues the webhook's events, each in the transaction of what it reports. */
export type NewsletterEvents = ReturnType<typeof createNewsletterEvents>;

export function createNewsletterEvents(tokens: SenderTokens) {
  return {
    /** Reports the data of a confirmed subscriber. */
    async addSubscriberEvent(
      transaction: StoreTransaction,
      type: "confirmed" | "changed",
      subscription: Subscription,
      at: Moment,
    ): Promise<void> {
      await tokens.activate(transaction, [subscription.id]);
      await enqueueEvent(transaction, { type, data: { ...toSubscriber(subscription), status: "SUBSCRIBED" }, at });
    },

    /** Reports the end of a confirmed subscription. */
    async addEndEvent(
      transaction: StoreTransaction,
      { id, site, email }: Subscription,
      reason: EndedEvent["data"]["reason"],
      at: Moment,
    ): Promise<void> {
      const data = { id, site, email, status: "UNSUBSCRIBED", consents: [], reason };
      await enqueueEvent(transaction, { type: "unsubscribed", data, at });
    },
  };
}
