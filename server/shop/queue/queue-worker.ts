import { setImmediate as afterInput } from "node:timers/promises";
import { type Moment, second } from "../../../client/rules/time.ts";
import type { Job } from "../../drain.ts";
import { isTold } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import type { Metrics } from "../../metrics.ts";
import { runJob } from "../../tracing/work.ts";
import type { Queue } from "./queue.ts";

/** A job that sends what is in a queue. */
export interface QueueWorker extends Job {
  /** Looks at the queue at once, if started. It is to be called after the transaction with a new entry is committed. */
  wake(): void;
  /**
   * Resolves when what was due is sent or put off, but for that which other replicas have. While the process drains,
   * that is what is under way.
   */
  idle(): Promise<void>;
  /** Resolves when what is under way is sent. The rest stays queued for other replicas and the next start. */
  close(): Promise<void>;
}

/** What the metrics call a queue. */
export type QueueName = "mail" | "event" | "purge";
export type QueueMetrics = Pick<Metrics, "queued" | "longestQueued">;

interface QueueWorkerOptions {
  name: QueueName;
  queue: Pick<Queue<never>, "count" | "findOldest">;
  /** Sends some of what is due, and tells whether more may be. */
  work(): Promise<boolean>;
  /** Closes what it sends with. */
  closeTransport(): Promise<void> | void;
  /** What the log says when the work fails. */
  failure: string;
  logger: Logger;
  metrics: QueueMetrics;
  clock(): Moment;
  /** Tells whether the process is about to end, in which case nothing more is begun. */
  isDraining(): boolean;
}

/** Time between two looks at the queue, for what is due again or what other replicas have left. */
const interval = 10 * second;

/** Creates the job that sends what is in a queue. Any number of workers, here and on other replicas, may do so. */
export function createQueueWorker(options: QueueWorkerOptions): QueueWorker {
  const { name, queue, closeTransport, failure, logger, metrics, clock, isDraining } = options;
  let runs = false;
  let again = false;
  /** Whether to tell operators how much waits. That takes a look at all of it, so it isn't done each time. */
  let isToTell = false;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;
  return { start, wake, idle, close };

  function start() {
    runs = true;
    timer = setInterval(look, interval).unref();
    look();
  }

  function look() {
    isToTell = true;
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
      await runJob(workOnce);
    }
    underWay = undefined;
  }

  async function workOnce() {
    try {
      if (await options.work()) again = true;
      if (isToTell) await tellOperators();
    } catch (error) {
      if (!isTold(error)) logger.error({ err: error }, failure);
    }
  }

  async function tellOperators() {
    const at = clock();
    const oldest = (await queue.findOldest(at)) ?? at;
    metrics.queued.set({ queue: name }, await queue.count());
    metrics.longestQueued.set({ queue: name }, Math.max(0, at - oldest) / second);
    isToTell = false;
  }

  async function idle() {
    while (underWay) await underWay;
  }

  async function close() {
    runs = false;
    clearInterval(timer);
    await underWay;
    await closeTransport();
  }
}
