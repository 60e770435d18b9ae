import { normalizeEmail } from "../../../../client/rules/email.ts";
import type { Moment } from "../../../../client/rules/time.ts";
import type { SubscriberLine } from "../../../../schemas/types.ts";
import { parseTime } from "../../../platform/time.ts";
import { batchSize } from "../../../store/housekeeping.ts";
import type { LineResult } from "../../../store/import-lines.ts";
import type { Database, StoreTransaction } from "../../../store/open-store.ts";
import { mailboxOf } from "../mail/mailboxes.ts";
import type { ConsentEvent } from "./newsletter-tables.ts";
import { lockSubscriptions, type Subscription } from "./subscriptions.ts";

/** The known data about a line's address and its mailbox on its site. */
interface Known {
  /** The subscriptions of the address with any capitalization, the one of the same spelling first. */
  subscriptions: readonly Subscription[];
  /** When the mailbox last unsubscribed, refused a sign-up or was stopped under any of its addresses; else -Infinity. */
  endedAt: Moment;
}

/** The decision about a line. */
interface Decision {
  result: LineResult;
  /** The subscriptions that the line changes; empty if it adds one. */
  changed: readonly Subscription[];
}

/** The declarations that end a subscription. A consent overrides them only if it is later. */
const endEvents: readonly ConsentEvent[] = ["withdrawn", "refused", "stopped"];

export function isEnd({ event }: { event: ConsentEvent }): boolean {
  return endEvents.includes(event);
}

/** Identifies the mailbox of a line on its site. Consents and withdrawals of the same mailbox are compared. */
export function mailboxKey({ site, email }: Pick<SubscriberLine, "site" | "email">): string {
  return `${site} ${mailboxOf(normalizeEmail(email))}`;
}

/** Decides about a line. The latest consent or withdrawal of the mailbox on the site counts. */
export function decide(line: SubscriberLine, { subscriptions, endedAt }: Known, isSuppressed: boolean): Decision {
  const confirmed = subscriptions.filter(({ state }) => state === "confirmed");
  const first = subscriptions.slice(0, 1);
  if (line.status === "withdrawn") {
    const withdrawnAt = momentOf(line.changedAt) ?? 0;
    const ended = confirmed.filter(({ confirmedAt }) => (confirmedAt ?? 0) < withdrawnAt);
    if (subscriptions.length === 0) return { result: "added", changed: [] };
    if (ended.length > 0) return { result: "changed", changed: ended };
    // Recorded, because a consent that is imported later may be older than this withdrawal.
    if (confirmed.length === 0 && endedAt < withdrawnAt) return { result: "changed", changed: first };
    return { result: "unchanged", changed: [] };
  }
  const refuse = (refused: string) => ({ result: { refused }, changed: [] });
  if (line.status !== "confirmed") return refuse("isn't confirmed");
  if (confirmed.length > 0) return { result: "unchanged", changed: [] };
  if (isSuppressed) return refuse("is suppressed");
  const ends = (line.records ?? []).filter(isEnd).map(({ at }) => momentOf(at) ?? 0);
  if ((momentOf(line.confirmedAt) ?? 0) <= Math.max(endedAt, ...ends))
    return refuse("has unsubscribed since, or refused a sign-up");
  return { result: first.length > 0 ? "changed" : "added", changed: first };
}

/**
 * Finds the known data about lines, and locks the subscriptions until the transaction ends.
 * @returns a function from a line to these data
 */
export async function findKnown(transaction: StoreTransaction, lines: readonly SubscriberLine[]) {
  const mailboxes = [...new Set(lines.map(({ email }) => mailboxOf(normalizeEmail(email))))];
  const rows = await lockSubscriptions(transaction).where("mailbox", "in", mailboxes).execute();
  const endedAt = await findEnds(transaction, rows);
  const rowsOf = Map.groupBy(rows, mailboxKey);
  return (line: SubscriberLine): Known => {
    const found = rowsOf.get(mailboxKey(line)) ?? [];
    const email = normalizeEmail(line.email);
    const own = found.filter((row) => row.email.toLowerCase() === email.toLowerCase());
    return {
      subscriptions: own.toSorted((one, other) => Number(other.email === email) - Number(one.email === email)),
      endedAt: Math.max(-Infinity, ...found.map(endedAt)),
    };
  };
}

/** @returns when a subscription last ended; -Infinity if it never did */
async function findEnds(transaction: StoreTransaction, subscriptions: readonly Subscription[]) {
  const ids = subscriptions.map(({ id }) => id);
  const records =
    ids.length > 0
      ? await transaction
          .selectFrom("consentRecord")
          .select(({ fn }) => ["subscriptionId", fn.max("at").as("at")])
          .where("subscriptionId", "in", ids)
          .where("event", "in", endEvents)
          .groupBy("subscriptionId")
          .execute()
      : [];
  const recorded = new Map(records.map(({ subscriptionId, at }) => [subscriptionId, at]));
  return ({ id, state, changedAt }: Subscription): Moment => {
    // Release 1.0.0 didn't record the withdrawals that it imported.
    const unrecorded = state === "withdrawn" || state === "refused" ? changedAt : -Infinity;
    return recorded.get(id) ?? unrecorded;
  };
}

/** Computes the mailboxes of subscriptions that an earlier release has stored without one. */
export async function fillMailboxes(db: Database): Promise<void> {
  for (;;) {
    const query = db.selectFrom("newsletterSubscription").select(["id", "email"]).where("mailbox", "is", null);
    const rows = await query.limit(batchSize).execute();
    if (rows.length === 0) return;
    await db.transaction().execute(async (transaction) => {
      for (const { id, email } of rows)
        await transaction
          .updateTable("newsletterSubscription")
          .set({ mailbox: mailboxOf(email) })
          .where("id", "=", id)
          .execute();
    });
  }
}

export function momentOf(time: string | null | undefined): Moment | null {
  return time ? (parseTime(time) ?? null) : null;
}
