import { randomUUID } from "node:crypto";
import { type SqlBool, sql } from "kysely";
import type { Moment } from "../../../../client/rules/time.ts";
import type { EndedEvent } from "../../../../schemas/types.ts";
import type { StoreTransaction } from "../../../store/in-transaction.ts";
import type { Database } from "../../../store/open-store.ts";
import { createQueue, everyEntry, type Leased, type QueueColumns } from "../../../store/queue.ts";
import { type SenderTokens, type Subscription, toSubscriber } from "../embedded/subscriptions.ts";

declare module "../../../store/tables.ts" {
  interface Tables {
    newsletterEvent: NewsletterEventTable;
  }
}

/** An event for the webhook, deleted once it is delivered. */
interface NewsletterEventTable extends QueueColumns {
  type: EventType;
  site: string;
  email: string;
  /** Orders the events of an address on a site. */
  position: number;
  /** JSON, without tokens. */
  data: string;
}

type EventType = "confirmed" | "changed" | "unsubscribed" | "erased";

export type LeasedEvent = Leased<"newsletterEvent">;

export type EventOutbox = ReturnType<typeof createEventOutbox>;

/** Creates the queue. An event isn't leased while an earlier one of the same address and site is queued. */
export function createEventOutbox(db: Database) {
  const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`);
  const isFirst = (alias: string) => sql<SqlBool>`not exists (
    select 1 from newsletter_event as earlier
    where earlier.email = ${column(alias, "email")} and earlier.site = ${column(alias, "site")}
      and earlier.position < ${column(alias, "position")})`;
  return {
    ...createQueue(db, "newsletterEvent", everyEntry, isFirst),

    /** Deletes a delivered event, so that the next one of its subscription follows. */
    async end({ id, leasedUntil }: LeasedEvent): Promise<void> {
      await db.deleteFrom("newsletterEvent").where("id", "=", id).where("leasedUntil", "=", leasedUntil).execute();
    },
  };
}

interface NewEvent {
  type: EventType;
  /** The event's data, without the token. */
  data: { id: string; site: string; email: string };
  at: Moment;
  /** When it may be sent; at once by default. */
  due?: Moment | undefined;
}

/**
 * Queues an event, to be sent after the commit and after earlier ones of the same address and site. The transaction must
 * hold the lock of the subscription, so that no other event takes the same position.
 */
export async function enqueueEvent(transaction: StoreTransaction, { type, data, at, due = at }: NewEvent) {
  const { site, email } = data;
  await transaction
    .insertInto("newsletterEvent")
    .values({
      id: randomUUID(),
      ...{ type, site, email },
      position: sql`(select coalesce(max(position), 0) + 1 from newsletter_event where email = ${email} and site = ${site})`,
      data: JSON.stringify(data),
      ...{ attempts: 0, nextAttemptAt: due, leasedUntil: null, createdAt: at },
    })
    .execute();
}

/**
 * Deletes the queued events of an address on a site.
 * @returns until when one of them may still be sent; undefined when none is leased
 */
export async function deleteEvents(
  transaction: StoreTransaction,
  { email, site }: { email: string; site: string },
): Promise<Moment | undefined> {
  const deleted = await transaction
    .deleteFrom("newsletterEvent")
    .where("email", "=", email)
    .where("site", "=", site)
    .returning("leasedUntil")
    .execute();
  const leases = deleted.flatMap(({ leasedUntil }) => leasedUntil ?? []);
  return leases.length > 0 ? Math.max(...leases) : undefined;
}

/** Queues the webhook's events, each in the transaction of what it reports. */
export type NewsletterEvents = ReturnType<typeof createNewsletterEvents>;

/** @param wake - wakes the worker that sends events */
export function createNewsletterEvents(tokens: SenderTokens, wake: () => void) {
  return {
    /** Reports the data of a confirmed subscriber. */
    async addSubscriberEvent(
      transaction: StoreTransaction,
      type: "confirmed" | "changed",
      subscription: Subscription,
      at: Moment,
    ): Promise<void> {
      await tokens.activate(transaction, [subscription.id]);
      await enqueueEvent(transaction, { type, data: toSubscriber(subscription), at });
    },

    /** Reports the end of a confirmed subscription. */
    async addEndEvent(
      transaction: StoreTransaction,
      { id, site, email }: Subscription,
      reason: EndedEvent["data"]["reason"],
      at: Moment,
    ): Promise<void> {
      const data = { id, site, email, reason };
      await enqueueEvent(transaction, { type: "unsubscribed", data, at });
    },

    /** To be called after the transaction is committed. */
    wake,
  };
}
