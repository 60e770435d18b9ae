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
  /** The first moment at which it isn't valid any more; null when it has no end. */
  validTo: Moment | null;
  /** The test and its group that it is for; both null when it is for everybody. */
  test: string | null;
  testGroup: string | null;
}
