import { randomInt } from "node:crypto";
import type { Moment } from "../../../client/rules/time.ts";
import type { Site } from "../../sites/countries.ts";
import type { Voucher } from "../mail/mail-data.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import type { Subscription } from "./find-subscription.ts";

/** The characters of codes, without those that are mistaken for others when they are read or heard. */
const letters = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const length = 12;

/**
 * Issues the voucher of a confirmed subscription, or finds the one that it has already.
 * @returns undefined when the voucher isn't valid any more
 */
export async function issueVoucher(
  transaction: StoreTransaction,
  { id: subscriptionId, site }: Subscription,
  country: Site | undefined,
  at: Moment,
): Promise<Voucher | undefined> {
  if (country) {
    const { discount, validMonths, singleUse = false } = country.newsletter.voucher;
    const validUntil = validMonths === undefined ? null : addMonths(at, validMonths);
    await transaction
      .insertInto("voucher")
      .values({
        code: createCode(),
        subscriptionId,
        site,
        discount,
        singleUse: Number(singleUse),
        issuedAt: at,
        validUntil,
      })
      .onConflict((conflict) => conflict.column("subscriptionId").doNothing())
      .execute();
  }
  const row = await transaction
    .selectFrom("voucher")
    .select(["code", "discount", "singleUse", "validUntil"])
    .where("subscriptionId", "=", subscriptionId)
    .where(({ eb, or }) => or([eb("validUntil", "is", null), eb("validUntil", ">", at)]))
    .executeTakeFirst();
  return row && { ...row, singleUse: row.singleUse === 1 };
}

function createCode(): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join("");
}

function addMonths(at: Moment, months: number): Moment {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC").add({ months }).epochMilliseconds;
}
