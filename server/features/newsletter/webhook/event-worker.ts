import { hour, type Milliseconds, type Moment, minute, second } from "../../../../client/rules/time.ts";
import { createHealthLog } from "../../../platform/health-log.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { toIso } from "../../../platform/time.ts";
import { type Pauses, pauseAfter } from "../../../store/queue.ts";
import { createQueueWorker, type QueueWorker } from "../../../store/queue-worker.ts";
import type { EventOutbox, LeasedEvent } from "./event-outbox.ts";
import { sendTimeout, type Webhook, WebhookError } from "./webhook.ts";

interface EventWorkerOptions {
  outbox: EventOutbox;
  webhook: Webhook;
  /** Returns the token by which the sender of the newsletter acts for a subscriber. */
  tokenOf(subscriptionId: string): string;
  logger: Logger;
  metrics: Metrics;
  clock(): Moment;
  /** Whether the process is shutting down; no further event is sent then. */
  isDraining(): boolean;
}

/** How many events are sent at the same time, each of another subscription. */
const concurrentEvents = 5;
/** How long a worker owns the events that it has leased. */
const leaseTime: Milliseconds = 2 * sendTimeout;
/** Short enough that a receiver gets its events soon after it has recovered. */
const eventPauses: Pauses = { first: 10 * second, longest: 5 * minute };
/** The pause after a 410, which may be a mistake. */
const gonePause: Milliseconds = hour;

/**
 * Creates the job that sends events to the webhook. While the receiver accepts none, it is tried with one event at a
 * time, after growing pauses.
 */
export function createEventWorker(options: EventWorkerOptions): QueueWorker {
  const { outbox, webhook, tokenOf, logger, metrics, clock, isDraining } = options;
  const health = createHealthLog(logger, {
    down: "webhook delivery failed, will retry",
    up: "webhook delivery recovered",
  });
  /** Consecutive rounds in which the receiver accepted nothing, and when to try again. */
  let failures = 0;
  let pausedUntil: Moment = 0;
  return createQueueWorker({
    name: "event",
    queue: outbox,
    work: sendDueEvents,
    closeTransport: () => webhook.close(),
    failure: "reading or updating the webhook's events failed",
    logger,
    metrics,
    clock,
    isDraining,
  });

  /** @returns whether more events may be due */
  async function sendDueEvents(): Promise<boolean> {
    const at = clock();
    if (at < pausedUntil) return false;
    const events = await outbox.lease(at, at + leaseTime, failures > 0 ? 1 : concurrentEvents);
    const errors = await Promise.all(events.map(sendEvent));
    const [error] = errors;
    if (errors.includes(undefined)) {
      failures = 0;
      health.answered();
      return true;
    }
    if (error) {
      failures++;
      pausedUntil = clock() + (error.isGone ? gonePause : pauseAfter(failures, eventPauses));
      health.failed({ reason: error.message, waiting: await outbox.count() });
    }
    return false;
  }

  /** Sends an event, or postpones it and returns the reason. */
  async function sendEvent(event: LeasedEvent): Promise<WebhookError | undefined> {
    const { id, type, attempts } = event;
    try {
      await webhook.send({ id, body: composeEvent(event) });
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      metrics.events.inc({ type, outcome: "postponed" });
      await outbox.postpone(event, clock() + pauseAfter(attempts, eventPauses));
      return error;
    }
    metrics.events.inc({ type, outcome: "sent" });
    await outbox.end(event);
    return undefined;
  }

  /** Composes an event by schemas/newsletter-event.schema.json, with the same bytes at every attempt. */
  function composeEvent({ type, data: stored, createdAt }: LeasedEvent): string {
    const data = JSON.parse(stored);
    const token = type === "confirmed" || type === "changed" ? { token: tokenOf(data.id) } : {};
    return JSON.stringify({
      version: 1,
      type: `newsletter.${type}`,
      timestamp: toIso(createdAt),
      data: { ...data, ...token },
    });
  }
}
