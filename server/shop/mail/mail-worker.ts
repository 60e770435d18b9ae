import { createQueueWorker, type QueueWorker } from "../queue/queue-worker.ts";
import { type DeliveryParts, deliverMails } from "./deliver-mails.ts";
import { atOnce } from "./mail-transport.ts";

interface MailWorkerOptions extends DeliveryParts {
  metrics: DeliveryParts["metrics"] & { queuedMails: { set(count: number): void } };
  /** Tells whether the process is about to end, in which case no more mail is begun. */
  isDraining(): boolean;
}

/** Creates the job that sends mail. */
export function createMailWorker(options: MailWorkerOptions): QueueWorker {
  const { outbox, transport, logger, metrics, isDraining } = options;
  return createQueueWorker({
    async work() {
      const due = await deliverMails(options);
      metrics.queuedMails.set(await outbox.count());
      return due === atOnce;
    },
    closeTransport: () => transport.close(),
    failure: "the mail worker could not work on the outbox",
    logger,
    isDraining,
  });
}
