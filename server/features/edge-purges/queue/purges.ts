import { type Milliseconds, type Moment, minute, second } from "../../../../client/rules/time.ts";
import { createHealthLog } from "../../../platform/health-log.ts";
import type { Database } from "../../../store/open-store.ts";
import { type Pauses, pauseAfter } from "../../../store/pauses.ts";
import { createQueue, type Leased, type QueueColumns } from "../../../store/queue.ts";
import { createQueueWorker } from "../../../store/queue-worker.ts";
import type { AppContext } from "../../feature.ts";
import { type PurgeForm, sendTimeout } from "../forms/purge-form.ts";

declare module "../../../store/tables.ts" {
  interface Tables {
    /** The purges to be sent. The id is a tag; a row is deleted once the edge has accepted it. */
    purge: QueueColumns;
  }
}

/**
 * The delay of a purge. Without it, the edge could fetch the old content again from a replica that hasn't seen the
 * change. Replicas refresh promotions and footer content every 20 seconds, which takes up to 3 seconds.
 */
const settleTime: Milliseconds = 25 * second;
/** The number of tags sent at once. */
const batchSize = 20;
const pauses: Pauses = { first: 5 * second, longest: minute };

interface PurgeParts extends Pick<AppContext, "logger" | "metrics" | "readiness"> {
  /** Called with tags that the edge has accepted. */
  onAccepted?: ((tags: readonly string[]) => void) | undefined;
}

/**
 * Opens the queue of edge purges and its worker. A tag that is queued several times is sent once, after its last
 * change.
 */
export function openPurges(
  db: Database,
  form: PurgeForm,
  { logger, metrics, readiness, onAccepted }: PurgeParts,
  clock: () => Moment = Date.now,
) {
  const queue = createQueue(db, "purge");
  const health = createHealthLog(logger, {
    down: "edge purge failed, will retry",
    up: "edge purges recovered",
  });
  const worker = createQueueWorker({
    name: "purge",
    queue,
    pauses,
    async work() {
      const at = clock();
      const due = await queue.lease(at, at + 2 * sendTimeout, batchSize);
      const requests = Array.from({ length: Math.ceil(due.length / form.tagsPerRequest) }, (_, index) =>
        due.slice(index * form.tagsPerRequest, (index + 1) * form.tagsPerRequest),
      );
      return (await Promise.all(requests.map(send))).includes(true);
    },
    closeTransport: form.close,
    failure: "the service could not work on the purges that wait",
    logger,
    metrics,
    clock,
    isDraining: () => readiness.state === "draining",
  });
  return { purge, worker };

  /** Queues a purge of everything with a tag. It is sent once every replica has seen the change. */
  async function purge(tag: string): Promise<void> {
    const at = clock();
    const next = { attempts: 0, nextAttemptAt: at + settleTime, leasedUntil: null, createdAt: at };
    await db
      .insertInto("purge")
      .values({ id: tag, ...next })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(next))
      .execute();
  }

  /**
   * Sends entries in one request, or postpones them.
   * @returns whether they were sent
   */
  async function send(entries: readonly Leased<"purge">[]): Promise<boolean> {
    const failure = await form.send(entries.map(({ id, createdAt }) => ({ tag: id, at: createdAt })));
    metrics.purges.inc({ outcome: failure ? "postponed" : "sent" }, entries.length);
    if (failure) {
      health.down({ reason: failure.reason });
      for (const { id, attempts, leasedUntil } of entries)
        await queue.postpone({ id, leasedUntil }, clock() + pauseAfter(attempts, pauses));
      return false;
    }
    health.up();
    onAccepted?.(entries.map(({ id }) => id));
    for (const { id, leasedUntil } of entries)
      await db.deleteFrom("purge").where("id", "=", id).where("leasedUntil", "=", leasedUntil).execute();
    return true;
  }
}
