import { randomInt } from "node:crypto";
import type { Moment } from "../../../../client/rules/time.ts";
import { addMonths } from "../../../platform/time.ts";
import type { Site } from "../../../sites/countries.ts";
import type { StoreTransaction } from "../../../store/open-store.ts";
import type { Voucher } from "../mail/outbox.ts";
import type { Subscription } from "./subscriptions.ts";
import { takeCode } from "./voucher-codes.ts";

/** The alphabet of random codes, without characters that are easily confused in reading or on the phone. */
const codeAlphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = 12;

/**
 * Issues the voucher of a confirmed subscription, or finds the existing one. The caller has locked the subscription.
 * @returns undefined if the country offers none, or if the existing one has expired; `awaited` if no imported code is
 * left
 */
export async function issueVoucher(
  transaction: StoreTransaction,
  { id: subscriptionId, site }: Subscription,
  country: Site | undefined,
  at: Moment,
): Promise<Voucher | "awaited" | undefined> {
  const offer = country?.newsletter.voucher;
  if (!offer) return undefined;
  const existing = await readVoucher(transaction, subscriptionId);
  if (existing) return isValid(existing, at) ? existing : undefined;
  const code = offer.codes === "imported" ? await takeCode(transaction, site, at) : createCode();
  if (code === undefined) return "awaited";
  const { discount, validMonths, singleUse = false } = offer;
  const validUntil = validMonths === undefined ? null : addMonths(at, validMonths);
  await transaction
    .insertInto("voucher")
    .values({ code, subscriptionId, site, discount, singleUse: Number(singleUse), issuedAt: at, validUntil })
    .execute();
  return { code, discount, singleUse, validUntil };
}

/** Finds the voucher of a subscription, unless it has expired. */
export async function findVoucher(
  transaction: StoreTransaction,
  subscriptionId: string,
  at: Moment,
): Promise<Voucher | undefined> {
  const voucher = await readVoucher(transaction, subscriptionId);
  return voucher && isValid(voucher, at) ? voucher : undefined;
}

async function readVoucher(transaction: StoreTransaction, subscriptionId: string): Promise<Voucher | undefined> {
  const row = await transaction
    .selectFrom("voucher")
    .select(["code", "discount", "singleUse", "validUntil"])
    .where("subscriptionId", "=", subscriptionId)
    .executeTakeFirst();
  return row && { ...row, singleUse: row.singleUse === 1 };
}

function isValid({ validUntil }: Voucher, at: Moment): boolean {
  return validUntil === null || validUntil > at;
}

function createCode(): string {
  return Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");
}
