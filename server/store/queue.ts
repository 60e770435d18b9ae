import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { Moment } from "../../client/rules/time.ts";
import { clockTolerance } from "../platform/time.ts";
import type { Database } from "./open-store.ts";
import { jitter, type Pauses } from "./pauses.ts";
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
