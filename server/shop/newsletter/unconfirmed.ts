import { day, type Moment } from "../../../client/rules/time.ts";
import type { Site } from "../../sites/countries.ts";
import { batch } from "../store/in-batches.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import { leave } from "./end.ts";
import { findByAddresses, type Subscription } from "./find-subscription.ts";

/**
 * Expires a batch of sign-ups of which every mail is too old.
 * @returns how many
 */
export async function expireUnconfirmed(transaction: StoreTransaction, { site }: Site, at: Moment): Promise<number> {
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
        .limit(batch),
    )
    .where("state", "=", "pending")
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Deletes a batch of sign-ups that nobody confirmed within the days of the country, with all that belongs to them. Where an
 * earlier sign-up was confirmed, the subscription becomes again one that has ended, and the proof of then stays.
 * @returns how many
 */
export async function deleteUnconfirmed(transaction: StoreTransaction, country: Site, at: Moment): Promise<number> {
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
    const [current] = confirmedAt === null ? [] : await findByAddresses(transaction, [{ email, site }]);
    // The sign-up may have been confirmed since it was found.
    if (current && current.state !== "confirmed") await forgetSignUp(transaction, current, at);
  }
  return unconfirmed.length;
}

/** Deletes the declarations since the earlier subscription ended, which were never confirmed. */
async function forgetSignUp(transaction: StoreTransaction, subscription: Subscription, at: Moment): Promise<void> {
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
