import { hour, type Milliseconds, type Moment, minute, second } from "../../../client/rules/time.ts";
import type { Logger } from "../../logger.ts";
import type { Metrics } from "../../metrics.ts";
import { createOutage } from "../../outage.ts";
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

/** What is done about a receiver that takes nothing. */
interface Trial {
  /** How often it took nothing. */
  failures: number;
  /** When it is tried again, with one event. */
  at: Moment;
}

/**
 * Creates what sends some of the events that are due, and tells whether any was taken, so that more may be due. While
 * the receiver takes none, it is an outage, and tried by one event at a time, after growing pauses.
 */
export function createDelivery(parts: DeliveryParts): () => Promise<boolean> {
  const { outbox, logger, clock } = parts;
  const outage = createOutage(logger, {
    away: "the newsletter's receiver takes no events; they wait",
    back: "the newsletter's receiver takes events again",
  });
  let trial: Trial | undefined;

  return async () => {
    const at = clock();
    if (trial && at < trial.at) return false;
    const events = await outbox.lease(at, at + leaseTime, trial ? 1 : atOnce);
    const faults = await Promise.all(events.map((event) => deliver(parts, event)));
    const [fault] = faults;
    if (faults.some((found) => found === undefined)) noteEnd();
    else if (fault) await noteFailure(fault);
    return faults.includes(undefined);
  };

  async function noteFailure({ message: reason, isGone }: ReceiverError) {
    const failures = (trial?.failures ?? 0) + 1;
    trial = { failures, at: clock() + (isGone ? goneFor : pauseAfter(failures, pauses)) };
    outage.failed({ reason, waiting: await outbox.count() });
  }

  function noteEnd() {
    trial = undefined;
    outage.answered();
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
