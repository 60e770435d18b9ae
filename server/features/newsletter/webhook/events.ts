import { randomUUID } from "node:crypto";
import { type SqlBool, sql } from "kysely";
import { hour, type Milliseconds, type Moment, minute, second } from "../../../../client/rules/time.ts";
import { createHealthLog } from "../../../platform/health-log.ts";
import { toIso } from "../../../platform/time.ts";
import type { Database, StoreTransaction } from "../../../store/open-store.ts";
import { type Pauses, pauseAfter } from "../../../store/pauses.ts";
import { createQueue, type Leased, type QueueColumns } from "../../../store/queue.ts";
import { createQueueWorker, type QueueWorker, type WorkerContext } from "../../../store/queue-worker.ts";
import type { DeliveryFailure } from "../../../upstream/message-sender.ts";
import type { Webhook } from "../../../upstream/webhook.ts";

declare module "../../../store/tables.ts" {
  interface Tables {
    newsletterEvent: NewsletterEventTable;
  }
}

/** An event for the webhook. Deleted once it is delivered. It may outlive its subscription. */
interface NewsletterEventTable extends QueueColumns {
  type: "confirmed" | "changed" | "unsubscribed" | "erased";
  subscriptionId: string;
  /** Orders the events of a subscription. */
  position: number;
  /** JSON, without tokens. */
  data: string;
}

interface NewEvent {
  type: NewsletterEventTable["type"];
  /** As in schemas/newsletter-event.schema.json, without the token. */
  data: { id: string; site: string; [name: string]: unknown };
  at: Moment;
  /** When it may be sent. Default: at once. */
  due?: Moment;
}

/**
 * Queues an event, which is sent after the commit and after earlier ones of its subscription. The transaction must hold
 * the lock of the subscription, so that no other event takes the same position.
 */
export async function enqueueEvent(transaction: StoreTransaction, { type, data, at, due = at }: NewEvent) {
  const { id: subscriptionId } = data;
  await transaction
    .insertInto("newsletterEvent")
    .values({
      id: randomUUID(),
      type,
      subscriptionId,
      position: sql`(select coalesce(max(position), 0) + 1 from newsletter_event where subscription_id = ${subscriptionId})`,
      data: JSON.stringify(data),
      attempts: 0,
      nextAttemptAt: due,
      leasedUntil: null,
      createdAt: at,
    })
    .execute();
}

interface EventWorkerOptions extends WorkerContext {
  db: Database;
  webhook: Webhook;
  /** Computes the token by which the sender reports about a subscription. */
  senderTokenOf(subscriptionId: string): string;
  /** Computes the token of the link to the subscriber's page. */
  preferencesTokenOf(subscription: { id: string; confirmedAt: string | null }): string;
}

/** The maximum time for a delivery. */
export const eventTimeout: Milliseconds = 15 * second;
/** The number of events that are sent at the same time, each of another subscription. */
const concurrentEvents = 5;
/** How long a worker owns the events that it has leased. */
const leaseTime: Milliseconds = 2 * eventTimeout;
/** Short enough for a receiver to get its events soon after its recovery. */
const eventPauses: Pauses = { first: 10 * second, longest: 5 * minute };
/** The pause after a 410, which may be a mistake of the receiver. */
const gonePause: Milliseconds = hour;

/**
 * Creates the job that sends events to the webhook. An event is sent once the earlier ones of its subscription are
 * delivered. While the receiver accepts none, the job tries one event at a time, with growing pauses.
 */
export function createEventWorker(options: EventWorkerOptions): QueueWorker {
  const { db, webhook, senderTokenOf, preferencesTokenOf, logger, metrics, clock } = options;
  const queue = createQueue(db, "newsletterEvent", { isNext: isFirst });
  const health = createHealthLog(logger, {
    down: "webhook delivery failed, will retry",
    up: "webhook delivery recovered",
  });
  /** The number of consecutive rounds in which the receiver accepted nothing, and when to try again. */
  let failedRounds = 0;
  let paused: { since: Moment; until: Moment } = { since: 0, until: 0 };
  return createQueueWorker({
    ...options,
    name: "event",
    queue,
    pauses: eventPauses,
    work: sendDueEvents,
    closeTransport: webhook.close,
    failure: "reading or updating the webhook's events failed",
  });

  /** @returns whether more events may be due */
  async function sendDueEvents(): Promise<boolean> {
    const at = clock();
    // A clock that was set back must not extend a pause.
    if (paused.since <= at && at < paused.until) return false;
    const events = await queue.lease(at, at + leaseTime, failedRounds > 0 ? 1 : concurrentEvents);
    const failures = await Promise.all(events.map(sendEvent));
    const [failure] = failures;
    if (failures.includes(undefined)) {
      failedRounds = 0;
      health.up();
      return true;
    }
    if (failure) {
      failedRounds++;
      const since = clock();
      const pause = failure.status === 410 ? gonePause : pauseAfter(failedRounds, eventPauses);
      paused = { since, until: since + pause };
      health.down({ reason: failure.reason, waiting: (await queue.measure(clock())).count });
    }
    return false;
  }

  /**
   * Sends an event, or postpones it.
   * @returns the reason if it was postponed
   */
  async function sendEvent(event: Leased<"newsletterEvent">): Promise<DeliveryFailure | undefined> {
    const { id, type, attempts, leasedUntil } = event;
    const failure = await webhook.send(id, composeEvent(event));
    metrics.events.inc({ type, outcome: failure ? "postponed" : "sent" });
    if (failure) await queue.postpone(event, clock() + pauseAfter(attempts, eventPauses));
    else await db.deleteFrom("newsletterEvent").where("id", "=", id).where("leasedUntil", "=", leasedUntil).execute();
    return failure;
  }

  /** Composes an event as in schemas/newsletter-event.schema.json, with the same bytes at every attempt. */
  function composeEvent({ type, data: stored, createdAt }: Leased<"newsletterEvent">): string {
    const data = JSON.parse(stored);
    const isAboutSubscriber = type === "confirmed" || type === "changed";
    return JSON.stringify({
      type: `subscription.${type}`,
      timestamp: toIso(createdAt),
      data: { ...data, ...(isAboutSubscriber && linksOf(data)) },
    });
  }

  /** @param preferencesUrl - undefined if an earlier release has stored the event */
  function linksOf({ id, confirmedAt, preferencesUrl }: StoredLinks) {
    const token = preferencesUrl && preferencesTokenOf({ id, confirmedAt });
    return { preferencesUrl: token ? `${preferencesUrl}?token=${token}` : null, token: senderTokenOf(id) };
  }
}

/** The part of a stored event that its links depend on. */
interface StoredLinks {
  id: string;
  confirmedAt: string;
  /** The address of the subscriber's page, without a token; null once the shop has no such site. */
  preferencesUrl?: string | null;
}

/** The condition that no earlier event of the same subscription is queued. */
function isFirst(alias: string) {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<SqlBool>`not exists (
    select 1 from newsletter_event as earlier
    where earlier.subscription_id = ${column("subscriptionId")} and earlier.position < ${column("position")})`;
}
