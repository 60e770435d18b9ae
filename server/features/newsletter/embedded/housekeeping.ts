import { type SqlBool, sql } from "kysely";
import { day, type Milliseconds, type Moment } from "../../../../client/rules/time.ts";
import { addMonths } from "../../../platform/time.ts";
import type { Site } from "../../../sites/countries.ts";
import { deleteExpiredCounters } from "../../../store/counters.ts";
import { batchSize, deleteInBatches, inBatches } from "../../../store/housekeeping.ts";
import { type Database, inTransaction, type StoreTransaction } from "../../../store/open-store.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { deactivateSubscription } from "./subscriber-actions.ts";
import { addEndEvent } from "./subscriber-events.ts";
import { lockSubscriptions, type Subscription } from "./subscriptions.ts";

/** How long an expired link still gets another answer than an unknown one. */
const tokenRetention: Milliseconds = 30 * day;
/** Sent emails count towards limits, and operators look them up. */
const mailRetention: Milliseconds = 7 * day;
/** After this time an event that the webhook hasn't accepted is deleted, because of its personal data. */
const eventRetention: Milliseconds = 30 * day;
/** Senders may repeat a report for days. */
const reportRetention: Milliseconds = 7 * day;

/** Expires and deletes unconfirmed sign-ups, stops newsletters that nobody opens, and deletes expired data. */
export async function cleanUpNewsletter(context: NewsletterContext): Promise<void> {
  const { clock, countries, db } = context;
  const at = clock();
  for (const country of countries.sites) {
    const cleanUpBatch = async (transaction: StoreTransaction) => [
      await expireUnconfirmed(transaction, country, at),
      await deleteUnconfirmed(transaction, country, at),
      await stopUnopened(context, transaction, country, at),
    ];
    await inBatches(async () => Math.max(...(await inTransaction(db, cleanUpBatch))));
  }
  await deleteExpired(db, at);
}

/**
 * Expires a batch of sign-ups whose confirmation links have all expired.
 * @returns the number of sign-ups
 */
async function expireUnconfirmed(transaction: StoreTransaction, { site }: Site, at: Moment): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable("newsletterSubscription")
    .set({ state: "expired", changedAt: at })
    .where("id", "in", (query) =>
      query
        .selectFrom("newsletterSubscription as pending")
        .select("pending.id")
        .where("pending.site", "=", site)
        .where("pending.state", "=", "pending")
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("newsletterToken")
                .select("hash")
                .whereRef("subscriptionId", "=", "pending.id")
                .where("expiresAt", ">", at),
            ),
          ),
        )
        .limit(batchSize),
    )
    .where("state", "=", "pending")
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Deletes a batch of sign-ups that weren't confirmed within the country's days, with all related data. If an earlier
 * sign-up was confirmed, the subscription returns to its ended state, and the earlier proof stays.
 * @returns the number of sign-ups
 */
async function deleteUnconfirmed(transaction: StoreTransaction, country: Site, at: Moment): Promise<number> {
  const before = at - country.newsletter.deleteUnconfirmedAfterDays * day;
  const unconfirmed = await lockSubscriptions(transaction)
    .where("id", "in", (query) =>
      query
        .selectFrom("newsletterSubscription")
        .select("id")
        .where("site", "=", country.site)
        .where("requestedAt", "<=", before)
        .where(({ eb, and, or }) =>
          or([
            eb("state", "in", ["pending", "expired", "refused"]),
            and([eb("state", "=", "withdrawn"), eb("confirmedAt", "is", null)]),
          ]),
        )
        .limit(batchSize),
    )
    .where("requestedAt", "<=", before)
    .where("state", "<>", "confirmed")
    .execute();
  const neverConfirmed = unconfirmed.filter(({ confirmedAt }) => confirmedAt === null).map(({ id }) => id);
  if (neverConfirmed.length > 0)
    await transaction.deleteFrom("newsletterSubscription").where("id", "in", neverConfirmed).execute();
  for (const subscription of unconfirmed)
    if (subscription.confirmedAt !== null) await revertSignUp(transaction, subscription, at);
  return unconfirmed.length;
}

/** Ends a repeated sign-up, and deletes its declarations, which were never confirmed. */
async function revertSignUp(transaction: StoreTransaction, subscription: Subscription, at: Moment): Promise<void> {
  await deactivateSubscription(transaction, subscription, "withdrawn", at);
  await transaction
    .deleteFrom("consentRecord")
    .where("subscriptionId", "=", subscription.id)
    .where("at", ">", ({ selectFrom }) =>
      selectFrom("consentRecord as ended")
        .select(({ fn }) => fn.max("ended.at").as("at"))
        .where("ended.subscriptionId", "=", subscription.id)
        .where("ended.event", "in", ["withdrawn", "stopped"]),
    )
    .execute();
}

/**
 * Stops a batch of newsletters that haven't been opened for the country's years. Spares subscribers without a reported
 * opening since their confirmation: their openings may not be reported at all.
 * @returns the number of newsletters
 */
async function stopUnopened(
  context: NewsletterContext,
  transaction: StoreTransaction,
  country: Site,
  at: Moment,
): Promise<number> {
  const { addConsentRecords, upstreams } = context;
  const { site } = country;
  const { stopUnopenedAfterYears } = country.newsletter;
  // With a real service, openings are reported to that service.
  if (stopUnopenedAfterYears === undefined || upstreams.newsletter.of(country)) return 0;
  const stopped = await transaction
    .updateTable("newsletterSubscription")
    .set({ sendingStoppedAt: at })
    .where("id", "in", (query) =>
      query
        .selectFrom("newsletterSubscription as unopened")
        .select("unopened.id")
        .where("unopened.site", "=", site)
        .where("unopened.state", "=", "confirmed")
        .whereRef("unopened.lastOpenedAt", ">", "unopened.confirmedAt")
        .where("unopened.lastOpenedAt", "<=", addMonths(at, -12 * stopUnopenedAfterYears))
        .limit(batchSize),
    )
    .where("state", "=", "confirmed")
    .returningAll()
    .execute();
  for (const subscription of stopped) {
    await deactivateSubscription(transaction, subscription, "withdrawn", at);
    await addEndEvent(context, transaction, subscription, "unopened", at);
    await addConsentRecords(transaction, [{ event: "stopped", subscription, at }]);
  }
  return stopped.length;
}

async function deleteExpired(db: Database, at: Moment): Promise<void> {
  const before = (column: string, moment: Moment) => sql<SqlBool>`${sql.ref(column)} <= ${moment}`;
  await deleteInBatches(db, "newsletterToken", "hash", before("expiresAt", at - tokenRetention));
  await deleteExpiredCounters(db, at);
  await deleteInBatches(db, "mailbox", "address", before("askedAt", at - mailRetention));
  await deleteInBatches(db, "mailBudget", "name", before("spentUntil", at));
  await deleteInBatches(db, "suppressedMailbox", "hash", before("endsAt", at));
  await deleteInBatches(db, "newsletterEvent", "id", before("createdAt", at - eventRetention));
  await deleteInBatches(db, "newsletterReport", "hash", before("receivedAt", at - reportRetention));
  const isDone = sql<SqlBool>`${sql.ref("state")} <> 'queued'`;
  await deleteInBatches(db, "mailOutbox", "id", sql`${isDone} and ${before("createdAt", at - mailRetention)}`);
}
