import { type Milliseconds, type Moment, minute, second } from "../../../client/rules/time.ts";
import { createHealthLog } from "../../platform/health-log.ts";
import type { Database } from "../../store/open-store.ts";
import { type Pauses, pauseAfter } from "../../store/pauses.ts";
import { createQueue, type Leased, type QueueColumns } from "../../store/queue.ts";
import { createQueueWorker } from "../../store/queue-worker.ts";
import type { AppContext } from "../feature.ts";
import { createVarnish, sendTimeout } from "./varnish.ts";

declare module "../../store/tables.ts" {
  interface Tables {
    /** The purges to be sent. The id is a `Surrogate-Key`; a row is deleted once the edge has accepted it. */
    purge: QueueColumns;
  }
}

/**
 * The delay of a purge. Without it, the edge could fetch the old content again from a replica that hasn't seen the
 * change. Replicas refresh promotions and footer content every 20 seconds, which takes up to 3 seconds.
 */
export const settleTime: Milliseconds = 25 * second;
/** The number of keys sent at once. */
const batchSize = 20;
const pauses: Pauses = { first: 5 * second, longest: minute };

/**
 * Opens the queue of edge purges and its worker. A key that is queued several times is sent once, after its last
 * change.
 * @param url - accepts `PURGE` with `Surrogate-Key`
 */
export function openPurges(
  db: Database,
  url: string,
  { logger, metrics, readiness }: Pick<AppContext, "logger" | "metrics" | "readiness">,
  clock: () => Moment = Date.now,
) {
  const queue = createQueue(db, "purge");
  const health = createHealthLog(logger, {
    down: "edge purge failed, will retry",
    up: "edge purges recovered",
  });
  const varnish = createVarnish(url);
  const worker = createQueueWorker({
    name: "purge",
    queue,
    pauses,
    async work() {
      const at = clock();
      const due = await queue.lease(at, at + 2 * sendTimeout, batchSize);
      return (await Promise.all(due.map(send))).includes(true);
    },
    closeTransport: varnish.close,
    failure: "the service could not work on the purges that wait",
    logger,
    metrics,
    clock,
    isDraining: () => readiness.state === "draining",
  });
  return { purge, worker };

  /** Queues a purge of everything with a `Surrogate-Key`. It is sent once every replica has seen the change. */
  async function purge(key: string): Promise<void> {
    const at = clock();
    const next = { attempts: 0, nextAttemptAt: at + settleTime, leasedUntil: null, createdAt: at };
    await db
      .insertInto("purge")
      .values({ id: key, ...next })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(next))
      .execute();
  }

  /**
   * Sends a key or postpones it.
   * @returns whether it was sent
   */
  async function send({ id, attempts, leasedUntil }: Leased<"purge">): Promise<boolean> {
    const failure = await varnish.send(id);
    metrics.purges.inc({ outcome: failure ? "postponed" : "sent" });
    if (failure) {
      health.down({ reason: failure.reason });
      await queue.postpone({ id, leasedUntil }, clock() + pauseAfter(attempts, pauses));
      return false;
    }
    health.up();
    await db.deleteFrom("purge").where("id", "=", id).where("leasedUntil", "=", leasedUntil).execute();
    return true;
  }
}
