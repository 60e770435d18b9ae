import type { Moment } from "../../../client/rules/time.ts";
import type { Promotion } from "../../../schemas/types.ts";
import type { AbGroup } from "../../rendering/ab-group.ts";
import type { RequestedPreview } from "../../rendering/visitor.ts";
import type { Site } from "../../sites/countries.ts";

/** The promotion of a site's footer from a moment until the next entry of the plan. */
export interface PlannedPromotion {
  from: Moment;
  /** Undefined if nothing is promoted then. */
  promotion: Promotion | undefined;
}

/** The promotion service, embedded or real. Its functions throw UpstreamError, or what the store throws. */
export interface PromotionService {
  /**
   * Lists the current promotion of a site's footer and its known changes, in the order of time.
   * @param group - for which group of an A/B test that is active. Default: for everybody
   */
  planned(site: Site, group?: AbGroup): Promise<PlannedPromotion[]>;
  /** Finds the promotion that staff preview. */
  previewed(site: Site, preview: RequestedPreview): Promise<Promotion | undefined>;
}

/** The path of the promotion service. Its last part is a place in the shop. */
export const promotionPath = "/service/promotion/api/promotion";
/** The footer's place in the shop. */
export const footerKey = "SHOP_FOOTER";
