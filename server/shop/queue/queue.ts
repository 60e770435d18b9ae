import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { Moment } from "../../../client/rules/time.ts";
import type { Database } from "../store/open-store.ts";
import type { Tables } from "../store/tables.ts";

/** The tables that are queues: of what is sent at least once, by any number of workers. */
type QueueTable = "mailOutbox" | "newsletterEvent" | "purge";

/** An entry that this worker alone may send, until its lease ends. */
export type Leased<Table extends QueueTable> = Selectable<Tables[Table]> & { leasedUntil: Moment };

/** What tells an entry that this worker has from one that another has taken since. */
interface Taken {
  id: string;
  leasedUntil: Moment;
}

/**
 * A condition of an entry.
 * @param alias - the name of its table in the statement
 */
type Condition = (alias: string) => RawBuilder<SqlBool>;

export const always: Condition = () => sql<SqlBool>`true`;

/** A queue. */
export interface Queue<Table extends QueueTable> {
  /**
   * Takes due entries, the longest due first, and counts an attempt of each. It is one statement, so that of several
   * workers on any replicas one gets an entry. A worker that has died holds its entries no longer than the lease.
   * @param limit - how many entries are taken at most
   */
  lease(at: Moment, until: Moment, limit: number): Promise<Leased<Table>[]>;
  /** Gives an entry back for another attempt. */
  postpone(entry: Taken, nextAttemptAt: Moment): Promise<void>;
  /** Counts the entries that wait. */
  count(): Promise<number>;
  /**
   * Gives since when the longest due of them waits: since it was due for the first time, or, where it was tried in vain,
   * since it is in the queue. Undefined when none is due.
   */
  findOldest(at: Moment): Promise<Moment | undefined>;
}

/**
 * Creates the queue in a table.
 * @param waits - the condition of entries that wait for being sent
 * @param isNext - the condition that such an entry's turn has come, where others have to be sent before it
 */
export function createQueue<Table extends QueueTable>(
  db: Database,
  table: Table,
  waits: Condition,
  isNext: Condition = always,
): Queue<Table> {
  const queue: QueueTable = table;

  return {
    async lease(at, until, limit) {
      const isFound = sql<SqlBool>`${sql.ref(`${queue}.id`)} in (
        select due.id from ${sql.table(queue)} as due where ${isDue("due", at)}
        order by due.next_attempt_at, due.id limit ${limit})`;
      // The condition stands twice, as another worker may have taken by now what the inner query has found. PostgreSQL
      // checks the outer one again when that worker is done
      // (https://www.postgresql.org/docs/18/transaction-iso.html#XACT-READ-COMMITTED): test/postgres/outbox.test.ts
      const leased = db
        .updateTable(queue)
        .set({ leasedUntil: until, attempts: sql`${sql.ref(`${queue}.attempts`)} + 1` })
        .where(isFound)
        .where(isDue(queue, at))
        .returningAll();
      const { rows } = await db.executeQuery<Selectable<Tables[Table]>>(leased);
      return rows.map((row) => ({ ...row, leasedUntil: until }));
    },

    async postpone(entry, nextAttemptAt) {
      await db
        .updateTable(queue)
        .set({ nextAttemptAt, leasedUntil: null })
        .where("id", "=", entry.id)
        .where("leasedUntil", "=", entry.leasedUntil)
        .execute();
    },

    async count() {
      const { entries } = await db
        .selectFrom(queue)
        .select(({ fn }) => fn.countAll<number>().as("entries"))
        .where(waits(queue))
        .executeTakeFirstOrThrow();
      return entries;
    },

    async findOldest(at) {
      const [attempts, next] = [sql.ref(`${queue}.attempts`), sql.ref(`${queue}.nextAttemptAt`)];
      const since = sql<Moment | null>`min(case when ${attempts} = 0 then ${next} else ${sql.ref(`${queue}.createdAt`)} end)`;
      const { oldest } = await db
        .selectFrom(queue)
        .select(since.as("oldest"))
        .where(waits(queue))
        .where(sql<SqlBool>`(${attempts} > 0 or ${next} <= ${at})`)
        .executeTakeFirstOrThrow();
      return oldest ?? undefined;
    },
  };

  function isDue(alias: string, at: Moment): RawBuilder<SqlBool> {
    const [next, leasedUntil] = [sql.ref(`${alias}.nextAttemptAt`), sql.ref(`${alias}.leasedUntil`)];
    return sql<SqlBool>`${waits(alias)} and ${isNext(alias)} and ${next} <= ${at} and (${leasedUntil} is null or ${leasedUntil} <= ${at})`;
  }
}
