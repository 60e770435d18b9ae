import { setImmediate as afterIncoming } from "node:timers/promises";
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import { type Milliseconds, type Moment, second } from "../../client/rules/time.ts";
import { isReported } from "../platform/errors.ts";
import type { Job } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { runJob } from "../platform/request-context.ts";
import { clockTolerance } from "../platform/time.ts";
import type { Database } from "./open-store.ts";
import type { Tables } from "./tables.ts";

/** The columns of every queue. */
export interface QueueColumns {
  id: string;
  attempts: number;
  nextAttemptAt: Moment;
  leasedUntil: Moment | null;
  createdAt: Moment;
}

/** The tables that are queues. Each entry is sent at least once, by any number of workers. */
type QueueTable = "mailOutbox" | "newsletterEvent" | "purge";

/** An entry that only this worker may send until its lease ends. */
export type Leased<Table extends QueueTable> = Selectable<Tables[Table]> & { leasedUntil: Moment };

/** A condition on entries. `alias` is the name of the table in the statement. */
type Condition = (alias: string) => RawBuilder<SqlBool>;

interface QueueOptions {
  /** True for entries that aren't sent yet. */
  waits?: Condition;
  /** True for entries whose predecessors have been sent. */
  isNext?: Condition;
  /** The column with the time at which an entry was queued. */
  queuedAt?: string;
}

const everyEntry: Condition = () => sql<SqlBool>`true`;

/**
 * Creates the queue in a table.
 */
export function createQueue<Table extends QueueTable>(
  db: Database,
  table: Table,
  { waits = everyEntry, isNext = everyEntry, queuedAt = "createdAt" }: QueueOptions = {},
) {
  const queue: QueueTable = table;

  return {
    /**
     * Leases up to `limit` due entries, the longest due first, and counts an attempt of each. A single statement, so
     * only one worker gets each entry. A crashed worker keeps its entries no longer than the lease.
     */
    async lease(at: Moment, until: Moment, limit: number): Promise<Leased<Table>[]> {
      const isFound = sql<SqlBool>`${sql.ref(`${queue}.id`)} in (
        select due.id from ${sql.table(queue)} as due where ${isDue("due", at, until)}
        order by due.next_attempt_at, due.id limit ${limit})`;
      // The condition is repeated, because another worker may have taken the rows of the inner query. PostgreSQL checks
      // the outer condition again when that worker is done:
      // https://www.postgresql.org/docs/18/transaction-iso.html#XACT-READ-COMMITTED
      const leased = db
        .updateTable(queue)
        .set({ leasedUntil: until, attempts: sql`${sql.ref(`${queue}.attempts`)} + 1` })
        .where(isFound)
        .where(isDue(queue, at, until))
        .returningAll();
      const { rows } = await db.executeQuery<Selectable<Tables[Table]>>(leased);
      return rows.map((row) => ({ ...row, leasedUntil: until }));
    },

    /** Returns an entry to the queue for another attempt, unless its lease has passed to another worker. */
    async postpone(entry: { id: string; leasedUntil: Moment }, nextAttemptAt: Moment): Promise<void> {
      await db
        .updateTable(queue)
        .set({ nextAttemptAt, leasedUntil: null })
        .where("id", "=", entry.id)
        .where("leasedUntil", "=", entry.leasedUntil)
        .execute();
    },

    /**
     * Corrects the times of a clock that was ahead, so that entries don't wait longer than they should: one queued in
     * the future counts as queued now, and one postponed for longer than any pause is due.
     */
    async correctTimes(at: Moment, { longest }: Pauses): Promise<void> {
      const [attempts, next, createdAt, queued] = ["attempts", "nextAttemptAt", "createdAt", queuedAt].map((name) =>
        sql.ref(name),
      );
      const latest = at + clockTolerance;
      const isAhead = sql<SqlBool>`${queued} > ${latest}`;
      const isFar = sql<SqlBool>`${attempts} > 0 and ${next} > ${latest + jitter.most * longest}`;
      const corrected = (name: typeof queued) =>
        sql`${name} = case when ${isAhead} then ${name} - ${queued} + ${at} else ${name} end`;
      const columns = queuedAt === "createdAt" ? [createdAt] : [createdAt, queued];
      await sql`update ${sql.table(queue)} set
        ${next} = case when ${attempts} > 0 then ${at} else ${next} - ${queued} + ${at} end,
        ${sql.join(columns.map(corrected))}
        where ${waits(queue)} and (${isAhead} or (${isFar}))`.execute(db);
    },

    /**
     * Counts the waiting entries, and finds since when the oldest due one has waited: since it was first due, or since
     * its creation if an attempt has failed. `oldest` is null if none is due.
     */
    measure(at: Moment): Promise<{ count: number; oldest: Moment | null }> {
      const [attempts, next, createdAt] = ["attempts", "nextAttemptAt", "createdAt"].map((name) => sql.ref(name));
      const since = sql<Moment | null>`min(case when ${attempts} > 0 then ${createdAt} when ${next} <= ${at} then ${next} end)`;
      return db
        .selectFrom(queue)
        .select(({ fn }) => [fn.countAll<number>().as("count"), since.as("oldest")])
        .where(waits(queue))
        .executeTakeFirstOrThrow();
    },
  };

  /** A lease that ends later than a new one would, beyond clock skew, was made by a clock that was ahead. */
  function isDue(alias: string, at: Moment, until: Moment): RawBuilder<SqlBool> {
    const [next, leasedUntil] = [sql.ref(`${alias}.nextAttemptAt`), sql.ref(`${alias}.leasedUntil`)];
    const isFree = sql<SqlBool>`${leasedUntil} is null or ${leasedUntil} <= ${at} or ${leasedUntil} > ${until + clockTolerance}`;
    return sql<SqlBool>`${waits(alias)} and ${isNext(alias)} and ${next} <= ${at} and (${isFree})`;
  }
}

/** The pause after the first attempt, and the longest one. */
export interface Pauses {
  first: Milliseconds;
  longest: Milliseconds;
}

/** The range in which a pause varies, as factors, so that entries that failed together aren't retried together. */
const jitter = { least: 0.8, most: 1.2 };

/**
 * Returns the pause before the next attempt: twice as long each time, with jitter.
 * @param attempts - the number of attempts so far
 */
export function pauseAfter(attempts: number, { first, longest }: Pauses): Milliseconds {
  const share = jitter.least + (jitter.most - jitter.least) * Math.random();
  return Math.round(Math.min(first * 2 ** (attempts - 1), longest) * share);
}

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
