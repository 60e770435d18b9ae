import { type Selectable, type SqlBool, sql } from "kysely";
import type { Moment } from "../../../client/rules/time.ts";
import { createQueue, type Leased, type Queue } from "../queue/queue.ts";
import type { Database } from "../store/open-store.ts";
import type { Tables } from "../store/tables.ts";

export type QueuedMail = Selectable<Tables["mailOutbox"]>;
export type LeasedMail = Leased<"mailOutbox">;

/** The queue of mails. */
export interface Outbox extends Queue<"mailOutbox"> {
  /**
   * Ends a mail that was sent, or can't be. The data it was made of is removed, as it holds tokens, unless an operator
   * may try it once more.
   */
  end(mail: LeasedMail, outcome: "sent" | "failed" | "bounced", at: Moment): Promise<void>;
}

export function createOutbox(db: Database): Outbox {
  return {
    ...createQueue(db, "mailOutbox", (alias) => sql<SqlBool>`${sql.ref(`${alias}.state`)} = 'queued'`),

    async end({ id, leasedUntil }, outcome, at) {
      // When the lease is over and another worker has the mail, it is no longer this one's to end.
      await db
        .updateTable("mailOutbox")
        .set({
          state: outcome === "sent" ? "sent" : "failed",
          ...(outcome !== "failed" && { data: "{}" }),
          leasedUntil: null,
          sentAt: outcome === "sent" ? at : null,
        })
        .where("id", "=", id)
        .where("leasedUntil", "=", leasedUntil)
        .execute();
    },
  };
}
