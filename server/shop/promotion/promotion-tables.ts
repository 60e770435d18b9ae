import type { Moment } from "../../../client/rules/time.ts";

declare module "../store/tables.ts" {
  interface Tables {
    promotion: PromotionTable;
  }
}

interface PromotionTable {
  id: string;
  /** Place in the shop, for example SHOP_FOOTER. */
  key: string;
  site: string;
  headline: string;
  text: string;
  linkUrl: string;
  linkText: string;
  validFrom: Moment;
  /** The first moment at which the promotion isn't valid any more; null when it has no end. */
  validTo: Moment | null;
  /** The A/B test and its group that see the promotion; both are null when everybody does. */
  test: string | null;
  testGroup: string | null;
}
