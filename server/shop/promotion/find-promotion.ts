import { hour, type Moment } from "../../../client/rules/time.ts";
import type { Promotion } from "../../../schemas/types.ts";
import type { PlannedPromotion } from "../../services/promotion-service.ts";
import type { Database } from "../store/open-store.ts";

interface PromotionQuery {
  site: string;
  at: Moment;
  /** The group of an A/B test to look for. */
  selection?: { test: string; group: string } | undefined;
}

/** How far a plan reaches: longer than a footer is stored, and than the plan is kept. */
const ahead = hour;

/**
 * Finds the promotion of a place in the shop, such as SHOP_FOOTER: one for the selected group comes before one for
 * everybody, and one that started later before an earlier one.
 * @returns undefined when there is none
 */
export async function findPromotion(db: Database, key: string, query: PromotionQuery): Promise<Promotion | undefined> {
  const row = await promotionsBetween(db, key, query, query.at).limit(1).executeTakeFirst();
  return row && promotionOf(row);
}

/** Lists what is promoted to everybody in a place of the shop from a moment on, within the hour that follows. */
export async function planPromotions(
  db: Database,
  key: string,
  query: Pick<PromotionQuery, "site" | "at">,
): Promise<PlannedPromotion[]> {
  const { at } = query;
  const rows = await promotionsBetween(db, key, query, at + ahead).execute();
  const changes = rows
    .flatMap(({ validFrom, validTo }) => [validFrom, validTo ?? Infinity])
    .filter((change) => at < change && change <= at + ahead);
  return [at, ...new Set(changes)]
    .sort((a, b) => a - b)
    .map((from) => ({ from, row: rows.find((row) => row.validFrom <= from && from < (row.validTo ?? Infinity)) }))
    .filter(({ row }, index, all) => index === 0 || row !== all[index - 1]?.row)
    .map(({ from, row }) => ({ from, promotion: row && promotionOf(row) }));
}

/** Selects what is valid at any time from the query's moment up to another one, in the order in which it counts. */
function promotionsBetween(db: Database, key: string, { site, at, selection }: PromotionQuery, until: Moment) {
  return db
    .selectFrom("promotion")
    .select(["headline", "text", "linkUrl", "linkText", "validFrom", "validTo"])
    .where("key", "=", key)
    .where("site", "=", site)
    .where("validFrom", "<=", until)
    .where(({ eb, or }) => or([eb("validTo", "is", null), eb("validTo", ">", at)]))
    .where(({ eb, or, and }) =>
      or([
        eb("test", "is", null),
        ...(selection ? [and([eb("test", "=", selection.test), eb("testGroup", "=", selection.group)])] : []),
      ]),
    )
    .orderBy("test", (order) => order.asc().nullsLast())
    .orderBy("validFrom", "desc")
    .orderBy("id");
}

function promotionOf(row: { headline: string; text: string; linkUrl: string; linkText: string }): Promotion {
  return { headline: row.headline, text: row.text, link: { url: row.linkUrl, text: row.linkText } };
}
