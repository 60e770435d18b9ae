import { day, type Moment } from "../../../client/rules/time.ts";
import type { Site } from "../../sites/countries.ts";
import { inTransaction, type StoreTransaction } from "../store/in-transaction.ts";
import { addConsentRecord } from "./consent-records.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";
import { batch, deleteUnconfirmed, expireUnconfirmed } from "./unconfirmed.ts";

type HousekeepingParts = Pick<NewsletterParts, "db" | "countries" | "networkKey" | "clock">;

/** How long the answer to a link that is too old differs from that to one that never was. */
const expiredTokensKept = 30 * day;
/** How long mails are kept, as they count for limits and are looked up. */
const mailsKept = 7 * day;

/**
 * Does one run: expires and deletes unconfirmed sign-ups, stops newsletters that nobody opens, removes what is over.
 */
export async function keepHouse(parts: HousekeepingParts): Promise<void> {
  const at = parts.clock();
  for (const site of parts.countries.sites) {
    await inTransaction(parts.db, async (transaction) => {
      await expireUnconfirmed(transaction, site, at);
      await deleteUnconfirmed(transaction, site, at);
      await stopUnopened(parts, transaction, site, at);
    });
  }
  await inTransaction(parts.db, (transaction) => removeWhatIsOver(transaction, at));
}

async function stopUnopened(
  parts: HousekeepingParts,
  transaction: StoreTransaction,
  { site, newsletter }: Site,
  at: Moment,
): Promise<void> {
  if (newsletter.stopUnopenedAfterYears === undefined) return;
  const stopped = await transaction
    .updateTable("newsletterSubscription")
    .set({ state: "withdrawn", sendingStoppedAt: at, changedAt: at })
    .where("id", "in", (query) =>
      query
        .selectFrom("newsletterSubscription as unopened")
        .select("unopened.id")
        .where("unopened.site", "=", site)
        .where("unopened.state", "=", "confirmed")
        .where("unopened.lastOpenedAt", "<=", yearsBefore(at, newsletter.stopUnopenedAfterYears ?? 0))
        .limit(batch),
    )
    .where("state", "=", "confirmed")
    .returningAll()
    .execute();
  for (const subscription of stopped) {
    await addConsentRecord(parts, transaction, { event: "stopped", subscription, at });
  }
}

async function removeWhatIsOver(transaction: StoreTransaction, at: Moment): Promise<void> {
  await transaction
    .deleteFrom("newsletterToken")
    .where("expiresAt", "<=", at - expiredTokensKept)
    .execute();
  await transaction.deleteFrom("rateLimit").where("expiresAt", "<=", at).execute();
  await transaction
    .deleteFrom("mailbox")
    .where("askedAt", "<=", at - mailsKept)
    .execute();
  await transaction.deleteFrom("suppressedMailbox").where("endsAt", "<=", at).execute();
  await transaction
    .deleteFrom("mailOutbox")
    .where("state", "<>", "queued")
    .where("createdAt", "<=", at - mailsKept)
    .execute();
}

function yearsBefore(at: Moment, years: number): Moment {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC").subtract({ years }).epochMilliseconds;
}
