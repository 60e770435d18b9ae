import type { Selectable } from "kysely";
import type { Moment } from "../../../client/rules/time.ts";
import type { Database } from "../store/open-store.ts";
import type { Tables } from "../store/tables.ts";

export type QueuedMail = Selectable<Tables["mailOutbox"]>;

/** A mail that this worker alone may send, until its lease ends. */
export interface LeasedMail extends QueuedMail {
  leasedUntil: Moment;
}

/** The queue of mails. */
export interface Outbox {
  /**
   * Takes due mails, the longest due first, and counts an attempt of each. It is one statement, so that of several
   * workers on any replicas one gets a mail. A worker that has died holds its mails no longer than the lease.
   * @param limit - how many mails are taken at most
   */
  lease(at: Moment, until: Moment, limit: number): Promise<LeasedMail[]>;
  /** Ends a mail that was sent, or can't be. The data it was made of is removed, as it holds tokens. */
  end(mail: LeasedMail, state: "sent" | "failed", at: Moment): Promise<void>;
  /** Gives a mail back for another attempt. */
  postpone(mail: LeasedMail, nextAttemptAt: Moment): Promise<void>;
  /** Counts the mails that wait. */
  count(): Promise<number>;
}

export function createOutbox(db: Database): Outbox {
  return {
    async lease(at, until, limit) {
      // The conditions stand twice, as another worker may have taken by now what the inner query has found. PostgreSQL
      // checks the outer ones again when that worker is done
      // (https://www.postgresql.org/docs/18/transaction-iso.html#XACT-READ-COMMITTED): test/postgres/outbox.test.ts
      const mails = await db
        .updateTable("mailOutbox")
        .set((eb) => ({ leasedUntil: until, attempts: eb("attempts", "+", 1) }))
        .where("id", "in", (query) =>
          query
            .selectFrom("mailOutbox as due")
            .select("due.id")
            .where("due.state", "=", "queued")
            .where("due.nextAttemptAt", "<=", at)
            .where((eb) => eb.or([eb("due.leasedUntil", "is", null), eb("due.leasedUntil", "<=", at)]))
            .orderBy("due.nextAttemptAt")
            .orderBy("due.id")
            .limit(limit),
        )
        .where("state", "=", "queued")
        .where("nextAttemptAt", "<=", at)
        .where((eb) => eb.or([eb("leasedUntil", "is", null), eb("leasedUntil", "<=", at)]))
        .returningAll()
        .execute();
      return mails.map((mail) => ({ ...mail, leasedUntil: until }));
    },

    async end(mail, state, at) {
      await ownOf(mail)
        .set({ state, data: "{}", leasedUntil: null, sentAt: state === "sent" ? at : null })
        .execute();
    },

    async postpone(mail, nextAttemptAt) {
      await ownOf(mail).set({ nextAttemptAt, leasedUntil: null }).execute();
    },

    async count() {
      const { mails } = await db
        .selectFrom("mailOutbox")
        .select(({ fn }) => fn.countAll<number>().as("mails"))
        .where("state", "=", "queued")
        .executeTakeFirstOrThrow();
      return mails;
    },
  };

  /** Updates the row of a mail; none when the lease is over and another worker has the mail. */
  function ownOf({ id, leasedUntil }: LeasedMail) {
    return db.updateTable("mailOutbox").where("id", "=", id).where("leasedUntil", "=", leasedUntil);
  }
}
