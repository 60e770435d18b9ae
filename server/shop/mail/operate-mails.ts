import { sql } from "kysely";
import type { Moment } from "../../../client/rules/time.ts";
import { toIso } from "../../format-time.ts";
import type { Database } from "../store/open-store.ts";

/** The states that operators see: a mail that waits, or one that was given up. */
const stored = { waiting: "queued", failed: "failed" } as const;

export type MailState = keyof typeof stored;
export const mailStates: readonly MailState[] = ["waiting", "failed"];

/** Lists the mails in some states, the oldest first. What a mail is made of holds tokens, and isn't listed. */
export async function listMails(db: Database, states: readonly MailState[]) {
  const rows = await db
    .selectFrom("mailOutbox")
    .select(["id", "kind", "site", "recipient", "state", "attempts", "createdAt", "nextAttemptAt"])
    .where(
      "state",
      "in",
      states.map((state) => stored[state]),
    )
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return rows.map(({ state, attempts, createdAt, nextAttemptAt, ...mail }) => ({
    ...mail,
    state: state === "queued" ? "waiting" : state,
    attempts,
    createdAt: toIso(createdAt),
    nextAttemptAt: state === "queued" ? toIso(nextAttemptAt) : null,
  }));
}

/**
 * Makes a mail that waits or was given up due now, or all that were given up. One that isn't made of anything any more
 * can't go out: there is no such mailbox, or its owner wants no mail.
 * @param id - undefined stands for all that were given up
 * @returns how many
 */
export async function retryMails(db: Database, at: Moment, id?: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("mailOutbox")
    .set({ state: "queued", nextAttemptAt: at })
    .where("data", "<>", "{}")
    .$call((query) => (id === undefined ? query.where("state", "=", "failed") : query.where("id", "=", id)))
    .where("state", "in", ["queued", "failed"])
    .where(isFree(at))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Gives a mail up for good, unless it is just being sent. Returns whether it did. */
export async function dropMail(db: Database, at: Moment, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("mailOutbox")
    .set({ state: "failed", data: "{}", leasedUntil: null })
    .where("id", "=", id)
    .where("state", "in", ["queued", "failed"])
    .where(isFree(at))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The condition that no worker has the mail. */
function isFree(at: Moment) {
  return sql<boolean>`(${sql.ref("leasedUntil")} is null or ${sql.ref("leasedUntil")} <= ${at})`;
}
