import { hour, type Moment } from "../../../../client/rules/time.ts";
import type { Promotion } from "../../../../schemas/types.ts";
import type { Preview } from "../../../rendering/visitor.ts";
import type { Database } from "../../../store/open-store.ts";
import type { Tables } from "../../../store/tables.ts";
import { footerKey, type PromotionService } from "../service.ts";

declare module "../../../store/tables.ts" {
  interface Tables {
    promotion: {
      id: string;
      /** Place in the shop, for example SHOP_FOOTER. */
      key: string;
      site: string;
      headline: string;
      text: string;
      linkUrl: string;
      linkText: string;
      validFrom: Moment;
      /** The first moment after the promotion; null if it has no end. */
      validTo: Moment | null;
      /** The group of an A/B test that sees the promotion; both null if everybody does. */
      test: string | null;
      testGroup: string | null;
    };
  }
}

/** How far a plan reaches into the future: longer than footers are cached, and longer than the plan is kept. */
const ahead = hour;

/** Creates the embedded promotion service. */
export function createEmbeddedPromotions(db: Database): PromotionService {
  return {
    async planned({ site }, selection) {
      const at = Date.now();
      const viewer = selection ? { at, selection } : { at };
      const rows = await selectPromotions(db, footerKey, site, viewer, at + ahead).execute();
      const changes = rows
        .flatMap(({ validFrom, validTo }) => [validFrom, validTo ?? Infinity])
        .filter((change) => at < change && change <= at + ahead);
      return [at, ...new Set(changes)]
        .sort((a, b) => a - b)
        .map((from) => ({ from, row: rows.find((row) => row.validFrom <= from && from < (row.validTo ?? Infinity)) }))
        .filter(({ row }, index, all) => index === 0 || row !== all[index - 1]?.row)
        .map(({ from, row }) => ({ from, promotion: row && toPromotion(row) }));
    },
    previewed: ({ site }, preview) => findPromotion(db, footerKey, site, preview),
  };
}

/** Finds the promotion of a place in the shop. */
export async function findPromotion(db: Database, key: string, site: string, preview: Preview) {
  const row = await selectPromotions(db, key, site, preview, preview.at).limit(1).executeTakeFirst();
  return row && toPromotion(row);
}

/**
 * Selects the promotions of a place that are valid at any time between two moments. One for the selected group takes
 * precedence over one for everybody, and a later start over an earlier one.
 */
function selectPromotions(db: Database, key: string, site: string, { at, selection }: Preview, until: Moment) {
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

type Row = Pick<Tables["promotion"], "headline" | "text" | "linkUrl" | "linkText">;

function toPromotion({ headline, text, linkUrl, linkText }: Row): Promotion {
  return { headline, text, link: { url: linkUrl, text: linkText } };
}
