import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Moment } from "../../../../client/rules/time.ts";
import type { EndedEvent, SubscriberEvent } from "../../../../schemas/types.ts";
import { toIso } from "../../../platform/time.ts";
import type { CountryRegistry } from "../../../sites/countries.ts";
import type { StoreTransaction } from "../../../store/in-transaction.ts";
import type { QueueColumns } from "../../../store/queue.ts";
import { type SenderTokens, type Subscription, toSubscriber } from "../embedded/subscriptions.ts";
import { findVoucher } from "../embedded/vouchers.ts";

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

/** Reports the end of a confirmed subscription. */
export async function addEndEvent(
  transaction: StoreTransaction,
  { id, site, email }: Subscription,
  reason: EndedEvent["data"]["reason"],
  at: Moment,
): Promise<void> {
  const data = { id, site, email, status: "UNSUBSCRIBED", consents: [], reason };
  await enqueueEvent(transaction, { type: "unsubscribed", data, at });
}

/** Queues the webhook's events, each in the transaction of what it reports. */
export type NewsletterEvents = ReturnType<typeof createNewsletterEvents>;

export function createNewsletterEvents(tokens: SenderTokens, countries: CountryRegistry) {
  return {
    /** Reports the data of a confirmed subscriber. */
    async addSubscriberEvent(
      transaction: StoreTransaction,
      type: "confirmed" | "changed",
      subscription: Subscription,
      at: Moment,
    ): Promise<void> {
      const { id, site } = subscription;
      await tokens.activate(transaction, [id]);
      const voucher = await findVoucher(transaction, id, at);
      const data = {
        ...toSubscriber(subscription),
        status: "SUBSCRIBED",
        locale: countries.get(site)?.locale ?? null,
        voucher: voucher ? { code: voucher.code } : null,
        consent: await findConsent(transaction, subscription),
      };
      await enqueueEvent(transaction, { type, data, at });
    },

    addEndEvent,
  };
}

/** Finds the declaration that the subscriber has confirmed: somebody may have signed the address up again since. */
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
