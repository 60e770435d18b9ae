import { type Selectable, type SqlBool, sql } from "kysely";
import type { Moment } from "../../../client/rules/time.ts";
import { createQueue, type Leased, type Queue } from "../queue/queue.ts";
import type { Database } from "../store/open-store.ts";
import type { Tables } from "../store/tables.ts";

export type QueuedMail = Selectable<Tables["mailOutbox"]>;
export type LeasedMail = Leased<"mailOutbox">;

/** The queue of mails. */
export interface Outbox extends Queue<"mailOutbox"> {
  /** Ends a mail that was sent, or can't be. The data it was made of is removed, as it holds tokens. */
  end(mail: LeasedMail, state: "sent" | "failed", at: Moment): Promise<void>;
}

export function createOutbox(db: Database): Outbox {
  return {
    ...createQueue(db, "mailOutbox", (alias) => sql<SqlBool>`${sql.ref(`${alias}.state`)} = 'queued'`),

    async end({ id, leasedUntil }, state, at) {
      // When the lease is over and another worker has the mail, it is no longer this one's to end.
      await db
        .updateTable("mailOutbox")
        .set({ state, data: "{}", leasedUntil: null, sentAt: state === "sent" ? at : null })
        .where("id", "=", id)
        .where("leasedUntil", "=", leasedUntil)
        .execute();
    },
  };
}
