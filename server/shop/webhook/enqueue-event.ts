import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Moment } from "../../../client/rules/time.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import type { EventType } from "./event-tables.ts";

interface NewEvent {
  type: EventType;
  /** What the event tells, but for the token. */
  data: { id: string; site: string; email: string };
  at: Moment;
  /** When it may be sent first. */
  from?: Moment;
}

/**
 * Adds an event, which is sent once the transaction is committed, after those that wait for the same address and site.
 * The transaction holds the lock of the subscription, so that nobody else takes the same place.
 */
export async function enqueueEvent(
  transaction: StoreTransaction,
  { type, data, at, from = at }: NewEvent,
): Promise<void> {
  const { site, email } = data;
  await transaction
    .insertInto("newsletterEvent")
    .values({
      id: randomUUID(),
      ...{ type, site, email },
      position: sql`(select coalesce(max(position), 0) + 1 from newsletter_event where email = ${email} and site = ${site})`,
      data: JSON.stringify(data),
      attempts: 0,
      nextAttemptAt: from,
      leasedUntil: null,
      createdAt: at,
    })
    .execute();
}
