import type { Site } from "../../countries.ts";
import type { Logger } from "../../logger.ts";
import { inTransaction, type StoreTransaction } from "../store/in-transaction.ts";
import { addConsentRecord } from "./consent-records.ts";
import { leave } from "./end.ts";
import { findByAddress, type Subscription } from "./find-subscription.ts";
import type { NewsletterContext } from "./newsletter-context.ts";

type HousekeepingContext = Pick<NewsletterContext, "db" | "countries" | "networkKey" | "clock">;

const day = 24 * 60 * 60_000;
/** Between two runs, in milliseconds. */
const interval = 10 * 60_000;
/** Rows that one step of a run takes at most: the next run has the others. */
const batch = 500;
/** How long a link that is too old is still told from one that never was, in milliseconds. */
const expiredTokensKept = 30 * day;
/** How long mails count for limits, and are to be looked up, in milliseconds. */
const mailsKept = 7 * day;

/**
 * Keeps the store to its terms, again and again. Any number of replicas may do so: whatever one of them has done, the
 * others find done.
 */
export function startHousekeeping(context: HousekeepingContext, logger: Logger): { close(): Promise<void> } {
  let underWay: Promise<void> | undefined;
  const timer = setInterval(run, interval).unref();
  run();
  return {
    async close() {
      clearInterval(timer);
      await underWay;
    },
  };

  function run() {
    underWay ??= keepHouse(context)
      .catch((error) => logger.warn({ err: error }, "housekeeping failed"))
      .finally(() => {
        underWay = undefined;
      });
  }
}

/** One run: unconfirmed sign-ups expire and are deleted, newsletters nobody opens are stopped, what is over is removed. */
export async function keepHouse(context: HousekeepingContext): Promise<void> {
  const at = context.clock();
  for (const site of context.countries.sites) {
    await inTransaction(context.db, async (transaction) => {
      await expireUnconfirmed(transaction, site, at);
      await deleteUnconfirmed(transaction, site, at);
      await stopUnopened(context, transaction, site, at);
    });
  }
  await inTransaction(context.db, (transaction) => removeWhatIsOver(transaction, at));
}

/** A sign-up whose every mail is too old. */
async function expireUnconfirmed(transaction: StoreTransaction, { site }: Site, at: number): Promise<void> {
  await transaction
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
        .limit(batch),
    )
    .where("state", "=", "pending")
    .execute();
}

/** With all that belongs to it. Who had confirmed an earlier sign-up is again who has left: the proof of then stays. */
async function deleteUnconfirmed(transaction: StoreTransaction, country: Site, at: number): Promise<void> {
  const before = at - country.newsletter.deleteUnconfirmedAfterDays * day;
  const unconfirmed = await transaction
    .selectFrom("newsletterSubscription")
    .selectAll()
    .where("site", "=", country.site)
    .where("requestedAt", "<=", before)
    .where(({ eb, and, or }) =>
      or([
        eb("state", "in", ["pending", "expired", "refused"]),
        and([eb("state", "=", "withdrawn"), eb("confirmedAt", "is", null)]),
      ]),
    )
    .limit(batch)
    .execute();
  const never = unconfirmed.filter(({ confirmedAt }) => confirmedAt === null).map(({ id }) => id);
  if (never.length > 0) {
    await transaction
      .deleteFrom("newsletterSubscription")
      .where("id", "in", never)
      .where("requestedAt", "<=", before)
      .where("state", "<>", "confirmed")
      .execute();
  }
  for (const { email, site, confirmedAt } of unconfirmed) {
    const current = confirmedAt === null ? undefined : await findByAddress(transaction, email, site);
    // Meanwhile it may have been confirmed.
    if (current && current.state !== "confirmed") await forgetSignUp(transaction, current, at);
  }
}

/** What was declared after the earlier subscription had ended was never confirmed. */
async function forgetSignUp(transaction: StoreTransaction, subscription: Subscription, at: number): Promise<void> {
  await leave(transaction, subscription, "withdrawn", at);
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

async function stopUnopened(
  context: HousekeepingContext,
  transaction: StoreTransaction,
  { site, newsletter }: Site,
  at: number,
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
    await addConsentRecord(context, transaction, { event: "stopped", subscription, at });
  }
}

async function removeWhatIsOver(transaction: StoreTransaction, at: number): Promise<void> {
  await transaction
    .deleteFrom("newsletterToken")
    .where("expiresAt", "<=", at - expiredTokensKept)
    .execute();
  await transaction.deleteFrom("rateLimit").where("expiresAt", "<=", at).execute();
  await transaction
    .deleteFrom("mailbox")
    .where("askedAt", "<=", at - mailsKept)
    .execute();
  await transaction
    .deleteFrom("mailOutbox")
    .where("state", "<>", "queued")
    .where("createdAt", "<=", at - mailsKept)
    .execute();
}

function yearsBefore(at: number, years: number): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC").subtract({ years }).epochMilliseconds;
}
