import { setImmediate as afterIncoming } from "node:timers/promises";
import { type Moment, second } from "../../client/rules/time.ts";
import { isReported } from "../platform/errors.ts";
import type { Job } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { runJob } from "../platform/request-context.ts";
import type { Pauses } from "./pauses.ts";
import type { createQueue } from "./queue.ts";

/** A job that sends the entries of a queue. */
export interface QueueWorker extends Job {
  /** Checks the queue at once if the worker is started. Call it after committing a new entry. */
  wake(): void;
  /**
   * Resolves when all due entries are sent or postponed, except those of other replicas; during a drain, when the
   * current one is.
   */
  idle(): Promise<void>;
  /** Resolves when the current entries are sent. The rest stays queued for other replicas and the next start. */
  close(): Promise<void>;
}

/** The queue's name in metrics. */
type QueueName = "mail" | "event" | "purge";

/** The context of every worker. */
export interface WorkerContext {
  logger: Logger;
  metrics: Metrics;
  clock(): Moment;
  /** Whether the process is ending, so that no new work may start. */
  isDraining(): boolean;
}

interface QueueWorkerOptions extends WorkerContext {
  name: QueueName;
  queue: Pick<ReturnType<typeof createQueue>, "measure" | "correctTimes">;
  /** How long entries are postponed. */
  pauses: Pauses;
  /**
   * Sends some due entries.
   * @returns whether there may be more
   */
  work(): Promise<boolean>;
  closeTransport(): Promise<void> | void;
  /** The log message when the work fails. */
  failure: string;
}

/** The interval between two checks of the queue, for entries that are due again or that other replicas have left. */
const interval = 10 * second;

/** Creates the worker of a queue. Any number of workers may run, on any number of replicas. */
export function createQueueWorker(options: QueueWorkerOptions): QueueWorker {
  const { name, queue, pauses, logger, metrics, clock, isDraining } = options;
  let isStarted = false;
  let isWoken = false;
  /** Whether to correct times and update the metrics. This reads the whole queue, so it isn't done in every round. */
  let isCheckDue = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  return { start, wake, idle, close };

  function start() {
    isStarted = true;
    timer = setInterval(check, interval).unref();
    check();
  }

  function check() {
    isCheckDue = true;
    wake();
  }

  function wake() {
    if (!isStarted || isDraining()) return;
    isWoken = true;
    running ??= work();
  }

  async function work() {
    // First lets the request that has woken the worker be answered.
    await afterIncoming();
    while (isWoken && isStarted && !isDraining()) {
      isWoken = false;
      await runJob(workOnce);
    }
    running = undefined;
  }

  async function workOnce() {
    try {
      if (isCheckDue) await queue.correctTimes(clock(), pauses);
      if (await options.work()) isWoken = true;
      if (isCheckDue) await updateMetrics();
      isCheckDue = false;
    } catch (error) {
      if (!isReported(error)) logger.error({ err: error }, options.failure);
    }
  }

  async function updateMetrics() {
    const at = clock();
    const { count, oldest } = await queue.measure(at);
    metrics.queued.set({ queue: name }, count);
    metrics.longestQueued.set({ queue: name }, Math.max(0, at - (oldest ?? at)) / second);
  }

  async function idle() {
    while (running) await running;
  }

  async function close() {
    isStarted = false;
    clearInterval(timer);
    await running;
    await options.closeTransport();
  }
}
