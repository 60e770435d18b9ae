import { type Milliseconds, second } from "../../client/rules/time.ts";
import { isReported, UpstreamError } from "../platform/errors.ts";
import { createHealthLog } from "../platform/health-log.ts";
import type { Job } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import { runJob } from "../platform/request-context.ts";

interface PollerOptions<Subject> {
  /** What is polled from the start to the end of the service. */
  subjects: readonly Subject[];
  /** Names a subject in the log, by its site; undefined if all sites share it. */
  nameOf(subject: Subject): string | undefined;
  logger: Logger;
  /** Messages for an outage and for its recovery. */
  messages: { down: string; up: string };
  /** Purges a `Surrogate-Key` from the edge; undefined without an edge to purge. */
  purge: ((key: string) => Promise<void>) | undefined;
  /**
   * Fetches the data of a subject.
   * @returns the `Surrogate-Key`s of everything that has changed in a way that the edge couldn't expect
   */
  poll(subject: Subject): Promise<readonly string[]>;
  /** Whether to poll a subject again. Default: always. */
  isWanted?(subject: Subject): boolean;
}

interface Poller<Subject> extends Job {
  /** Polls a further subject from now on, as long as it is wanted. Resolves after the first poll, also if that fails. */
  add(subject: Subject): Promise<void>;
}

/** The time between two polls. With the 3 s of the longest poll, a change is seen within the documented 60 s. */
const interval: Milliseconds = 20 * second;
/**
 * The longest pause after a failure. A recovered service is noticed within 5 s, with the 2 s of the longest call. The
 * pause is a random time between half of this and all of it, so that sites and replicas don't call all at once.
 */
const longestPause: Milliseconds = 2 * second;

/**
 * Creates the job that polls its subjects, and purges changed ones from the edge. Its start resolves after the first
 * poll of each. Starting it again polls at once.
 */
export function createPoller<Subject extends object>(options: PollerOptions<Subject>): Poller<Subject> {
  const { subjects, nameOf, logger, messages, purge, poll, isWanted = () => true } = options;
  const health = createHealthLog(logger, messages);
  const timers = new Map<Subject, NodeJS.Timeout>();
  /** The tags that the edge must still drop, by subject. */
  const unpurged = new Map<Subject, Set<string>>();
  let isClosed = false;
  return {
    add: keepFresh,
    async start() {
      await Promise.all(subjects.map(keepFresh));
    },
    async close() {
      isClosed = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };

  /** Polls a subject, and schedules the next poll. */
  async function keepFresh(subject: Subject): Promise<void> {
    clearTimeout(timers.get(subject));
    const hasAnswered = await runJob(() => pollOnce(subject));
    const pause = hasAnswered ? interval : longestPause * (1 - Math.random() / 2);
    if (!isClosed) timers.set(subject, setTimeout(pollAgain, pause, subject).unref());
  }

  function pollAgain(subject: Subject): void {
    if (isWanted(subject)) return void keepFresh(subject);
    timers.delete(subject);
    unpurged.delete(subject);
    health.up(nameOf(subject));
  }

  /**
   * Polls a subject once.
   * @returns whether there was an answer
   */
  async function pollOnce(subject: Subject): Promise<boolean> {
    const waiting = unpurged.get(subject) ?? new Set();
    try {
      for (const key of await poll(subject)) waiting.add(key);
    } catch (error) {
      const reason = error instanceof UpstreamError ? error.message : undefined;
      health.down({ reason, err: error, site: nameOf(subject) });
      return false;
    }
    health.up(nameOf(subject));
    unpurged.set(subject, waiting);
    await purgeEdge(subject, waiting);
    return true;
  }

  async function purgeEdge(subject: Subject, waiting: Set<string>): Promise<void> {
    try {
      for (const key of waiting) {
        await purge?.(key);
        waiting.delete(key);
      }
    } catch (error) {
      if (!isReported(error)) logger.warn({ site: nameOf(subject), err: error }, "edge purge could not be queued");
    }
  }
}
