import type { Moment } from "../../../client/rules/time.ts";
import type { Promotion } from "../../../schemas/types.ts";
import type { Database } from "../store/open-store.ts";

interface PromotionQuery {
  site: string;
  at: Moment;
  /** The group of an A/B test to look for. */
  selection?: { test: string; group: string } | undefined;
}

/**
 * Finds the promotion of a place in the shop, such as SHOP_FOOTER: one for the selected group comes before one for
 * everybody, and one that started later before an earlier one.
 * @returns undefined when there is none
 */
export async function findPromotion(
  db: Database,
  key: string,
  { site, at, selection }: PromotionQuery,
): Promise<Promotion | undefined> {
  const row = await db
    .selectFrom("promotion")
    .select(["headline", "text", "linkUrl", "linkText"])
    .where("key", "=", key)
    .where("site", "=", site)
    .where("validFrom", "<=", at)
    .where(({ eb, or }) => or([eb("validTo", "is", null), eb("validTo", ">", at)]))
    .where(({ eb, or, and }) =>
      or([
        eb("test", "is", null),
        ...(selection ? [and([eb("test", "=", selection.test), eb("testGroup", "=", selection.group)])] : []),
      ]),
    )
    .orderBy("test", (order) => order.asc().nullsLast())
    .orderBy("validFrom", "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row && { headline: row.headline, text: row.text, link: { url: row.linkUrl, text: row.linkText } };
}
