import { randomInt } from "node:crypto";
import type { Moment } from "../../../../client/rules/time.ts";
import { addMonths } from "../../../platform/time.ts";
import type { Site } from "../../../sites/countries.ts";
import type { StoreTransaction } from "../../../store/open-store.ts";
import type { Voucher } from "../mail/outbox.ts";
import type { Subscription } from "./subscriptions.ts";

/** The alphabet of voucher codes, without characters that are easily confused in reading or on the phone. */
const codeAlphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = 12;

/**
 * Issues the voucher of a confirmed subscription, or finds the existing one.
 * @returns undefined if that has expired
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
    const code = Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");
    await transaction
      .insertInto("voucher")
      .values({ code, subscriptionId, site, discount, singleUse: Number(singleUse), issuedAt: at, validUntil })
      .onConflict((conflict) => conflict.column("subscriptionId").doNothing())
      .execute();
  }
  return findVoucher(transaction, subscriptionId, at);
}

/** Finds the voucher of a subscription, unless it has expired. */
export async function findVoucher(
  transaction: StoreTransaction,
  subscriptionId: string,
  at: Moment,
): Promise<Voucher | undefined> {
  const row = await transaction
    .selectFrom("voucher")
    .select(["code", "discount", "singleUse", "validUntil"])
    .where("subscriptionId", "=", subscriptionId)
    .where(({ eb, or }) => or([eb("validUntil", "is", null), eb("validUntil", ">", at)]))
    .executeTakeFirst();
  return row && { ...row, singleUse: row.singleUse === 1 };
}
