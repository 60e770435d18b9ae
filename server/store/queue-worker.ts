import { setImmediate as afterIncoming } from "node:timers/promises";
import { type Moment, second } from "../../client/rules/time.ts";
import { isReported } from "../platform/errors.ts";
import type { Job } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { runJob } from "../platform/request-context.ts";
import type { Queue } from "./queue.ts";

/** A job that sends the entries of a queue. */
export interface QueueWorker extends Job {
  /** Checks the queue at once, if started. Call it after committing a new entry. */
  wake(): void;
  /** Resolves when all due entries are sent or postponed, except those of other replicas; while draining, the current one. */
  idle(): Promise<void>;
  /** Resolves when the current entries are sent. The rest stays queued for other replicas and the next start. */
  close(): Promise<void>;
}

/** The queue's name in metrics. */
export type QueueName = "mail" | "event" | "purge";

/** What every worker works with. */
export interface WorkerContext {
  logger: Logger;
  metrics: Metrics;
  clock(): Moment;
  /** Whether the process is ending, so that no new work starts. */
  isDraining(): boolean;
}

interface QueueWorkerOptions extends WorkerContext {
  name: QueueName;
  queue: Pick<Queue<never>, "measure">;
  /** Sends some due entries. Returns whether there may be more. */
  work(): Promise<boolean>;
  closeTransport(): Promise<void> | void;
  /** The log message when the work fails. */
  failure: string;
}

/** Interval between two checks of the queue, for entries that are due again or that other replicas have left. */
const interval = 10 * second;

/** Creates the worker of a queue, which may have any number of them on any replicas. */
export function createQueueWorker(options: QueueWorkerOptions): QueueWorker {
  const { name, queue, closeTransport, failure, logger, metrics, clock, isDraining } = options;
  let isStarted = false;
  let isWoken = false;
  /** Whether to update the metrics, which reads the whole queue and isn't done each time. */
  let isMetricsDue = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  return { start, wake, idle, close };

  function start() {
    isStarted = true;
    timer = setInterval(check, interval).unref();
    check();
  }

  function check() {
    isMetricsDue = true;
    wake();
  }

  function wake() {
    if (!isStarted || isDraining()) return;
    isWoken = true;
    running ??= work();
  }

  async function work() {
    // Answer the request that has woken the worker first.
    await afterIncoming();
    while (isWoken && isStarted && !isDraining()) {
      isWoken = false;
      await runJob(workOnce);
    }
    running = undefined;
  }

  async function workOnce() {
    try {
      if (await options.work()) isWoken = true;
      if (isMetricsDue) await updateMetrics();
    } catch (error) {
      if (!isReported(error)) logger.error({ err: error }, failure);
    }
  }

  async function updateMetrics() {
    const at = clock();
    const { count, oldest } = await queue.measure(at);
    metrics.queued.set({ queue: name }, count);
    metrics.longestQueued.set({ queue: name }, Math.max(0, at - (oldest ?? at)) / second);
    isMetricsDue = false;
  }

  async function idle() {
    while (running) await running;
  }

  async function close() {
    isStarted = false;
    clearInterval(timer);
    await running;
    await closeTransport();
  }
}
