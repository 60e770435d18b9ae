import { Agent } from "undici";
import { type Milliseconds, type Moment, minute, second } from "../../../client/rules/time.ts";
import { nameOf } from "../../errors.ts";
import { createOutage } from "../../outage.ts";
import type { Parts } from "../../parts.ts";
import { callHeaders } from "../../tracing/work.ts";
import { always, createQueue, type Leased } from "../queue/queue.ts";
import { createQueueWorker, type QueueWorker } from "../queue/queue-worker.ts";
import { type Pauses, pauseAfter } from "../queue/retries.ts";
import type { Database } from "../store/open-store.ts";

export interface Purges {
  /** Lets the edge forget what has a key of `Surrogate-Key`, once every replica shows something else. */
  purge(key: string): Promise<void>;
  /** Tells the edge. */
  worker: QueueWorker;
}

/**
 * How long a purge waits, so that the edge doesn't fetch what it is to forget from a replica that hasn't heard of the
 * change: each asks every 20 seconds, for 3 seconds at most (server/footer/promotions.ts).
 */
export const settleTime: Milliseconds = 25 * second;
/** Longest time until the edge has answered. */
const sendTimeout: Milliseconds = 5 * second;
/** How many keys are sent at once. */
const atOnce = 20;
const pauses: Pauses = { first: 5 * second, longest: minute };

/**
 * Opens the queue of what the edge is to forget, and what tells it. A key that waits is sent once, after its last change.
 * @param url - what takes `PURGE` with `Surrogate-Key`
 */
export function openPurges(
  db: Database,
  url: string,
  { logger, metrics, readiness }: Pick<Parts, "logger" | "metrics" | "readiness">,
  clock: () => Moment = Date.now,
): Purges {
  const queue = createQueue(db, "purge", always);
  const outage = createOutage(logger, {
    away: "the edge takes no purges; they are sent again",
    back: "the edge takes purges again",
  });
  const { origin, pathname, search } = new URL(url);
  const agent = new Agent({ keepAliveTimeout: second });
  const worker = createQueueWorker({
    name: "purge",
    queue,
    async work() {
      const at = clock();
      const due = await queue.lease(at, at + 2 * sendTimeout, atOnce);
      return (await Promise.all(due.map(send))).includes(true);
    },
    closeTransport: () => agent.close(),
    failure: "the service could not work on the purges that wait",
    logger,
    metrics,
    clock,
    isDraining: () => readiness.state === "draining",
  });
  return { purge, worker };

  async function purge(key: string) {
    const at = clock();
    const next = { attempts: 0, nextAttemptAt: at + settleTime, leasedUntil: null };
    await db
      .insertInto("purge")
      .values({ id: key, ...next, createdAt: at })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(next))
      .execute();
  }

  /** Sends a key, or puts it off, and tells which. */
  async function send({ id, attempts, leasedUntil }: Leased<"purge">): Promise<boolean> {
    const reason = await tell(id);
    metrics.purges.inc({ outcome: reason === undefined ? "sent" : "postponed" });
    if (reason === undefined) {
      outage.answered();
      await db.deleteFrom("purge").where("id", "=", id).where("leasedUntil", "=", leasedUntil).execute();
      return true;
    }
    outage.failed({ reason });
    await queue.postpone({ id, leasedUntil }, clock() + pauseAfter(attempts, pauses));
    return false;
  }

  /** Returns why the edge hasn't taken a key; undefined when it has. */
  async function tell(key: string): Promise<string | undefined> {
    const signal = AbortSignal.timeout(sendTimeout);
    const headers = { "surrogate-key": key, ...callHeaders() };
    try {
      const { statusCode, body } = await agent.request({
        ...{ origin, path: pathname + search, headers, signal },
        // Undici takes any method; its type lists those of the standard alone.
        method: "PURGE" as "DELETE",
      });
      await body.dump();
      return statusCode >= 200 && statusCode <= 299 ? undefined : `status ${statusCode}`;
    } catch (error) {
      return `no answer (${nameOf(error)})`;
    }
  }
}
