import { createOutage } from "../../outage.ts";
import { createQueueWorker, type QueueMetrics, type QueueWorker } from "../queue/queue-worker.ts";
import { type DeliveryParts, deliverMails } from "./deliver-mails.ts";
import { atOnce } from "./mail-transport.ts";

interface MailWorkerOptions extends Omit<DeliveryParts, "outage"> {
  metrics: DeliveryParts["metrics"] & QueueMetrics;
  /** Tells whether the process is about to end, in which case no more mail is begun. */
  isDraining(): boolean;
}

/** Creates the job that sends mail. */
export function createMailWorker(options: MailWorkerOptions): QueueWorker {
  const { outbox, transport, logger, metrics, clock, isDraining } = options;
  const outage = createOutage(logger, {
    away: "the mail server hasn't taken mails; they are sent again",
    back: "the mail server takes mails again",
  });
  return createQueueWorker({
    name: "mail",
    queue: outbox,
    work: async () => (await deliverMails({ ...options, outage })) === atOnce,
    closeTransport: () => transport.close(),
    failure: "the mail worker could not work on the outbox",
    logger,
    metrics,
    clock,
    isDraining,
  });
}
