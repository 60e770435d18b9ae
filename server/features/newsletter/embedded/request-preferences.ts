import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { emailFault } from "../../../../client/rules/subscription.ts";
import type { Moment } from "../../../../client/rules/time.ts";
import { inTransaction } from "../../../store/open-store.ts";
import { type RateLimitHit, reserveSendSlots, type SendSlot } from "../mail/mail-budgets.ts";
import { nextMailTimes } from "../mail/mailboxes.ts";
import type { NewsletterCaller, SubscribeResult } from "../service.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { queueMails } from "./queue-mails.ts";
import { longestDelay, suppressed, toSubscription } from "./sign-up.ts";
import { findOnAllSites } from "./subscriptions.ts";

/**
 * Sends a subscriber the link to the subscriber's page, within the limits of sign-ups. The answer and its timing are
 * the same whether or not the address is subscribed, recently mailed or suppressed.
 */
export async function requestPreferences(
  context: NewsletterContext,
  email: string,
  caller: NewsletterCaller,
): Promise<SubscribeResult> {
  const { answerAfter, clock, limits } = context;
  const fault = emailFault(email);
  if (fault) return { status: "invalid", faults: [{ field: "email", key: fault }] };
  const refusal = await limits.checkNetwork(caller.address, clock());
  if (refusal) return refusal;
  const [{ at, hit }] = await Promise.all([sendLink(context, email, caller), pause(answerAfter)]);
  return limits.apply(hit, at - clock()) ?? { status: "accepted" };
}

/**
 * Queues the email. If the address gets none, executes the same statements and rolls them back, so that the timing
 * reveals nothing.
 * @returns the email's slot, with the limit that it hit
 */
async function sendLink(context: NewsletterContext, email: string, { site }: NewsletterCaller): Promise<SendSlot> {
  const { clock, db, suppression } = context;
  const at = clock();
  const requested = toSubscription({ email }, site, at);
  const slot = (await reserveSendSlots(db, [requested], at))(requested);
  if (slot.hit?.outcome === "refused") return slot;
  return inTransaction(db, async (transaction) => {
    // Locks the mailbox before the subscription, as a sign-up does. In another order, the two could deadlock.
    const recipients = [requested.email];
    const due = (await nextMailTimes(transaction, recipients, at))(requested.email);
    const isSuppressed = (await suppression.find(transaction, recipients, at)).has(requested.email);
    const found = (await findOnAllSites(transaction, recipients)).filter((one) => one.site === site.site);
    const known = found.find(({ state }) => state === "confirmed");
    const row = known ?? found.find((one) => one.email === requested.email) ?? requested;
    const hit = isSuppressed ? suppressed : (mailboxHit(due, at) ?? slot.hit);
    const isSent = known !== undefined && hit?.outcome !== "dropped";
    const dueAt = Math.max(slot.at, due);
    await sql`savepoint before_writing`.execute(transaction);
    await transaction
      .insertInto("newsletterSubscription")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doUpdateSet(({ ref }) => ({ state: ref("excluded.state") })))
      .execute();
    await queueMails(transaction, [{ kind: "preferences", subscription: row, at: dueAt, queuedAt: at }]);
    const end = isSent ? sql`release savepoint before_writing` : sql`rollback to savepoint before_writing`;
    await end.execute(transaction);
    return { at: dueAt, hit: known && hit };
  });
}

function mailboxHit(due: Moment, at: Moment): RateLimitHit | undefined {
  if (due <= at) return undefined;
  return { limit: "mailbox", outcome: due > at + longestDelay ? "dropped" : "postponed" };
}
