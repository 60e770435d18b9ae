import { type SqlBool, sql } from "kysely";
import { always, createQueue, type Leased, type Queue } from "../queue/queue.ts";
import type { Database } from "../store/open-store.ts";

export type LeasedEvent = Leased<"newsletterEvent">;

/** The queue of events. */
export interface EventOutbox extends Queue<"newsletterEvent"> {
  /** Removes an event that was sent, so that the next one of its subscription follows. */
  end(event: LeasedEvent): Promise<void>;
}

/** Opens the queue, in which an event isn't taken while an earlier one of the same address and site is there. */
export function createEventOutbox(db: Database): EventOutbox {
  const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`);
  const isFirst = (alias: string) => sql<SqlBool>`not exists (
    select 1 from newsletter_event as earlier
    where earlier.email = ${column(alias, "email")} and earlier.site = ${column(alias, "site")}
      and earlier.position < ${column(alias, "position")})`;
  return {
    ...createQueue(db, "newsletterEvent", always, isFirst),

    async end({ id, leasedUntil }) {
      await db.deleteFrom("newsletterEvent").where("id", "=", id).where("leasedUntil", "=", leasedUntil).execute();
    },
  };
}
