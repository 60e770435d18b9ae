import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { Milliseconds, Moment } from "../../client/rules/time.ts";
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

/** Tables that are queues: each entry is sent at least once, by any number of workers. */
type QueueTable = "mailOutbox" | "newsletterEvent" | "purge";

/** An entry that only this worker may send until its lease ends. */
export type Leased<Table extends QueueTable> = Selectable<Tables[Table]> & { leasedUntil: Moment };

/** A condition on entries. `alias` is the name of the table in the statement. */
type Condition = (alias: string) => RawBuilder<SqlBool>;

const everyEntry: Condition = () => sql<SqlBool>`true`;

export type Queue<Table extends QueueTable> = ReturnType<typeof createQueue<Table>>;

interface Conditions {
  /** Holds for entries that aren't sent yet. */
  waits?: Condition;
  /** Holds once all entries that must be sent before an entry have been. */
  isNext?: Condition;
}

/** Creates the queue in a table. */
export function createQueue<Table extends QueueTable>(
  db: Database,
  table: Table,
  { waits = everyEntry, isNext = everyEntry }: Conditions = {},
) {
  const queue: QueueTable = table;

  return {
    /**
     * Takes up to `limit` due entries, the longest due first, and counts an attempt of each. It is one statement, so
     * that of all workers on all replicas one gets an entry. A crashed worker holds its entries no longer than the lease.
     */
    async lease(at: Moment, until: Moment, limit: number): Promise<Leased<Table>[]> {
      const isFound = sql<SqlBool>`${sql.ref(`${queue}.id`)} in (
        select due.id from ${sql.table(queue)} as due where ${isDue("due", at)}
        order by due.next_attempt_at, due.id limit ${limit})`;
      // The condition is repeated, as another worker may have taken what the inner query found. PostgreSQL checks the
      // outer one again when that worker is done:
      // https://www.postgresql.org/docs/18/transaction-iso.html#XACT-READ-COMMITTED
      const leased = db
        .updateTable(queue)
        .set({ leasedUntil: until, attempts: sql`${sql.ref(`${queue}.attempts`)} + 1` })
        .where(isFound)
        .where(isDue(queue, at))
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
     * Counts the waiting entries, and finds since when the oldest due one waits: since its first due time, or since its
     * creation if an attempt has failed. `oldest` is null when none is due.
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

  function isDue(alias: string, at: Moment): RawBuilder<SqlBool> {
    const [next, leasedUntil] = [sql.ref(`${alias}.nextAttemptAt`), sql.ref(`${alias}.leasedUntil`)];
    return sql<SqlBool>`${waits(alias)} and ${isNext(alias)} and ${next} <= ${at} and (${leasedUntil} is null or ${leasedUntil} <= ${at})`;
  }
}

/** The pause after the first attempt, and the longest one. */
export interface Pauses {
  first: Milliseconds;
  longest: Milliseconds;
}

/**
 * Returns the pause before the next attempt: twice as long each time, with a jitter of a fifth, so that what failed
 * together isn't retried together.
 * @param attempts - the attempts so far
 */
export function pauseAfter(attempts: number, { first, longest }: Pauses): Milliseconds {
  return Math.round(Math.min(first * 2 ** (attempts - 1), longest) * (0.8 + 0.4 * Math.random()));
}
