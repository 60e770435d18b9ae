import { type SqlBool, sql } from "kysely";
import { day, type Moment } from "../../../client/rules/time.ts";
import type { Site } from "../../sites/countries.ts";
import { batch, deleteInBatches, inBatches } from "../store/in-batches.ts";
import { inTransaction, type StoreTransaction } from "../store/in-transaction.ts";
import type { Database } from "../store/open-store.ts";
import { addConsentRecords } from "./consent-records.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";
import { deleteUnconfirmed, expireUnconfirmed } from "./unconfirmed.ts";

type HousekeepingParts = Pick<NewsletterParts, "db" | "countries" | "events" | "networkKey" | "clock">;

/** How long the answer to a link that is too old differs from that to one that never was. */
const expiredTokensKept = 30 * day;
/** How long mails are kept, as they count for limits and are looked up. */
const mailsKept = 7 * day;
/** How long an event waits for the newsletter's receiver, so that no address outlives its erasure for longer. */
const eventsKept = 30 * day;

/**
 * Does one run: expires and deletes unconfirmed sign-ups, stops newsletters that nobody opens, removes what is over.
 */
export async function keepHouse(parts: HousekeepingParts): Promise<void> {
  const at = parts.clock();
  for (const site of parts.countries.sites) {
    const step = async (transaction: StoreTransaction) => [
      await expireUnconfirmed(transaction, site, at),
      await deleteUnconfirmed(transaction, site, at),
      await stopUnopened(parts, transaction, site, at),
    ];
    await inBatches(async () => Math.max(...(await inTransaction(parts.db, step))));
  }
  await removeWhatIsOver(parts.db, at);
}

/**
 * Stops a batch of newsletters that nobody opens any more, and tells how many. Of subscribers without a reported opening
 * since their confirmation, nobody knows whether they open any.
 */
async function stopUnopened(
  parts: HousekeepingParts,
  transaction: StoreTransaction,
  { site, newsletter }: Site,
  at: Moment,
): Promise<number> {
  if (newsletter.stopUnopenedAfterYears === undefined) return 0;
  const stopped = await transaction
    .updateTable("newsletterSubscription")
    .set({ state: "withdrawn", sendingStoppedAt: at, changedAt: at })
    .where("id", "in", (query) =>
      query
        .selectFrom("newsletterSubscription as unopened")
        .select("unopened.id")
        .where("unopened.site", "=", site)
        .where("unopened.state", "=", "confirmed")
        // Earlier releases have noted the confirmation as an opening.
        .whereRef("unopened.lastOpenedAt", ">", "unopened.confirmedAt")
        .where("unopened.lastOpenedAt", "<=", yearsBefore(at, newsletter.stopUnopenedAfterYears ?? 0))
        .limit(batch),
    )
    .where("state", "=", "confirmed")
    .returningAll()
    .execute();
  for (const subscription of stopped) {
    await addConsentRecords(parts, transaction, [{ event: "stopped", subscription, at }]);
    await parts.events.tellEnd(transaction, subscription, "unopened", at);
  }
  return stopped.length;
}

async function removeWhatIsOver(db: Database, at: Moment): Promise<void> {
  const before = (column: string, moment: Moment) => sql<SqlBool>`${sql.ref(column)} <= ${moment}`;
  await deleteInBatches(db, "newsletterToken", "hash", before("expiresAt", at - expiredTokensKept));
  await deleteInBatches(db, "rateLimit", "key", before("expiresAt", at));
  await deleteInBatches(db, "mailbox", "address", before("askedAt", at - mailsKept));
  await deleteInBatches(db, "suppressedMailbox", "hash", before("endsAt", at));
  await deleteInBatches(db, "newsletterEvent", "id", before("createdAt", at - eventsKept));
  const isDone = sql<SqlBool>`${sql.ref("state")} <> 'queued'`;
  await deleteInBatches(db, "mailOutbox", "id", sql`${isDone} and ${before("createdAt", at - mailsKept)}`);
}

function yearsBefore(at: Moment, years: number): Moment {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC").subtract({ years }).epochMilliseconds;
}
