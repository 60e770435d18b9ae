import type { Moment } from "../../../../client/rules/time.ts";
import { type Database, inTransaction, type StoreTransaction } from "../../../store/open-store.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { queueMails } from "./queue-mails.ts";
import { addSubscriberEvent } from "./subscriber-events.ts";
import { lockSubscriptions, type Subscription } from "./subscriptions.ts";
import { issueVoucher } from "./vouchers.ts";

/** The number of waiting subscribers that are read together. */
const batch = 100;

/**
 * Issues the voucher of a subscriber, and queues the welcome email with it. Without a code, the email waits.
 * @returns whether it is queued
 */
export async function welcome(
  { countries }: Pick<NewsletterContext, "countries">,
  transaction: StoreTransaction,
  subscription: Subscription,
  at: Moment,
): Promise<boolean> {
  const { id: subscriptionId, site } = subscription;
  const voucher = await issueVoucher(transaction, subscription, countries.get(site), at);
  if (voucher === "awaited") {
    await transaction
      .insertInto("voucherWait")
      .values({ subscriptionId, site, since: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return false;
  }
  await queueMails(transaction, [{ kind: "welcome", subscription, at, voucher }]);
  return true;
}

/** Finds the sites on which welcome emails wait for a code. */
export async function findWaitingSites(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom("voucherWait").select("site").distinct().execute();
  return new Set(rows.map(({ site }) => site));
}

/**
 * Sends the welcome emails of a site that wait for a code, the longest waiting first, as long as there are codes. Any
 * number of replicas may do so at once.
 * @param isEnding - whether to leave the rest to other replicas
 * @returns whether others still wait
 */
export async function welcomeWaiting(
  context: NewsletterContext,
  site: string,
  isEnding: () => boolean,
): Promise<boolean> {
  const { clock, db } = context;
  const waiting = db
    .selectFrom("voucherWait")
    .select("subscriptionId")
    .where("site", "=", site)
    .orderBy("since")
    .orderBy("subscriptionId")
    .limit(batch);
  for (let found = await waiting.execute(); found.length > 0; found = await waiting.execute()) {
    for (const { subscriptionId } of found) {
      if (isEnding()) return true;
      const result = await inTransaction(db, (transaction) =>
        welcomeOne(context, transaction, subscriptionId, clock()),
      );
      if (result === "waits") return true;
    }
  }
  return false;
}

async function welcomeOne(
  context: NewsletterContext,
  transaction: StoreTransaction,
  subscriptionId: string,
  at: Moment,
): Promise<"queued" | "waits" | "gone"> {
  // Locks the subscription first, as an unsubscription does. In another order, the two could deadlock.
  const subscription = await lockSubscriptions(transaction).where("id", "=", subscriptionId).executeTakeFirst();
  const wait = transaction.selectFrom("voucherWait").select("since").where("subscriptionId", "=", subscriptionId);
  if (!subscription || !(await wait.executeTakeFirst())) return "gone";
  const { email } = subscription;
  if ((await context.suppression.find(transaction, [email], at, "wish")).has(email)) {
    await stopWaiting(transaction, [subscriptionId]);
    return "gone";
  }
  if (!(await welcome(context, transaction, subscription, at))) return "waits";
  await stopWaiting(transaction, [subscriptionId]);
  // The event of the confirmation had no code yet.
  await addSubscriberEvent(context, transaction, "changed", subscription, at);
  return "queued";
}

/** Sends subscribers no welcome email any more, if it waits for a code. */
export async function stopWaiting(transaction: StoreTransaction, subscriptionIds: readonly string[]): Promise<void> {
  await transaction.deleteFrom("voucherWait").where("subscriptionId", "in", subscriptionIds).execute();
}
