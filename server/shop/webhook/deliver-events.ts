import { hour, type Milliseconds, type Moment, minute, second } from "../../../client/rules/time.ts";
import type { Logger } from "../../logger.ts";
import type { Metrics } from "../../metrics.ts";
import { type Pauses, pauseAfter } from "../queue/retries.ts";
import type { EventOutbox, LeasedEvent } from "./event-outbox.ts";
import { ReceiverError, sendTimeout, type Webhook } from "./webhook.ts";

interface DeliveryParts {
  outbox: EventOutbox;
  webhook: Pick<Webhook, "send">;
  /** Writes an event as it is sent, with the same bytes at every attempt. */
  compose(event: LeasedEvent): string;
  logger: Logger;
  metrics: Pick<Metrics, "events">;
  clock(): Moment;
}

/** How many events are under way at once, each of another subscription. */
const atOnce = 5;
/** How long no other worker may take an event that one has taken. */
const leaseTime: Milliseconds = 2 * sendTimeout;
/** The pauses between two attempts. They stay short enough for a receiver that is back to be told soon. */
const pauses: Pauses = { first: 10 * second, longest: 5 * minute };
/** The pause where the receiver answers that it wants no more, which may be a mistake. */
const goneFor: Milliseconds = hour;

interface Outage {
  since: Moment;
  /** How often the receiver took nothing. */
  failures: number;
  /** When the receiver is tried again, with one event. */
  triedAt: Moment;
}

/**
 * Creates what sends some of the events that are due, and tells whether any was taken, so that more may be due. While
 * the receiver takes none, it is an outage: one warning, one event at a time, growing pauses, and a line when it ends.
 */
export function createDelivery(parts: DeliveryParts): () => Promise<boolean> {
  const { outbox, logger, clock } = parts;
  let outage: Outage | undefined;

  return async () => {
    const at = clock();
    if (outage && at < outage.triedAt) return false;
    const events = await outbox.lease(at, at + leaseTime, outage ? 1 : atOnce);
    const faults = await Promise.all(events.map((event) => deliver(parts, event)));
    const [fault] = faults;
    if (faults.some((found) => found === undefined)) await noteEnd();
    else if (fault) await noteFailure(fault);
    return faults.includes(undefined);
  };

  async function noteFailure(fault: ReceiverError) {
    const at = clock();
    const failures = (outage?.failures ?? 0) + 1;
    const pause = fault.isGone ? goneFor : pauseAfter(failures, pauses);
    if (!outage)
      logger.warn(
        { reason: fault.message, waiting: await outbox.count() },
        "the newsletter's receiver takes no events; they wait",
      );
    outage = { since: outage?.since ?? at, failures, triedAt: at + pause };
  }

  async function noteEnd() {
    if (!outage) return;
    const lasted = Math.round((clock() - outage.since) / second);
    outage = undefined;
    logger.info(
      { lastedSeconds: lasted, waiting: await outbox.count() },
      "the newsletter's receiver takes events again",
    );
  }
}

/** Sends an event, or puts it off. Returns why the receiver didn't take it. */
async function deliver(parts: DeliveryParts, event: LeasedEvent): Promise<ReceiverError | undefined> {
  const { outbox, webhook, compose, metrics, clock } = parts;
  const { id, type, attempts } = event;
  try {
    await webhook.send({ id, body: compose(event) });
  } catch (error) {
    if (!(error instanceof ReceiverError)) throw error;
    metrics.events.inc({ type, outcome: "postponed" });
    await outbox.postpone(event, clock() + pauseAfter(attempts, pauses));
    return error;
  }
  metrics.events.inc({ type, outcome: "sent" });
  await outbox.end(event);
  return undefined;
}
