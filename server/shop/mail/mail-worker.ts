import { setImmediate as afterInput } from "node:timers/promises";
import { second } from "../../../client/rules/time.ts";
import type { Job } from "../../drain.ts";
import { type DeliveryParts, deliverMails } from "./deliver-mails.ts";
import { atOnce } from "./mail-transport.ts";

export interface MailWorker extends Job {
  /** Looks for mail at once, if started. It is to be called after the transaction with a new mail is committed. */
  wake(): void;
  /**
   * Resolves when the mails that were due are sent or put off, but for those that other replicas have. While the process
   * drains, those are the ones under way.
   */
  idle(): Promise<void>;
  /** Resolves when the mails under way are sent. The rest stays queued for other replicas and the next start. */
  close(): Promise<void>;
}

interface MailWorkerOptions extends DeliveryParts {
  metrics: DeliveryParts["metrics"] & { queuedMails: { set(count: number): void } };
  /** Tells whether the process is about to end, in which case no more mail is begun. */
  isDraining(): boolean;
}

/** Time between two looks at the outbox, for mails that are due again or that other replicas have left. */
const interval = 10 * second;

/** Creates the job that sends mail. Any number of workers, here and on other replicas, may do so. */
export function createMailWorker(options: MailWorkerOptions): MailWorker {
  const { outbox, transport, logger, metrics, isDraining } = options;
  let runs = false;
  let again = false;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;
  return { start, wake, idle, close };

  function start() {
    runs = true;
    timer = setInterval(wake, interval).unref();
    wake();
  }

  function wake() {
    if (!runs || isDraining()) return;
    again = true;
    underWay ??= work();
  }

  async function work() {
    // Whoever has woken the worker is answered first.
    await afterInput();
    while (again && runs && !isDraining()) {
      again = false;
      try {
        if ((await deliverMails(options)) === atOnce) again = true;
        metrics.queuedMails.set(await outbox.count());
      } catch (error) {
        logger.error({ err: error }, "the mail worker could not work on the outbox");
      }
    }
    underWay = undefined;
  }

  async function idle() {
    while (underWay) await underWay;
  }

  async function close() {
    runs = false;
    clearInterval(timer);
    await underWay;
    transport.close();
  }
}
