import type { Moment } from "../../client/rules/time.ts";
import type { Promotion } from "../../schemas/types.ts";
import type { Site } from "../sites/countries.ts";
import type { RequestedPreview } from "./preview-of.ts";

/** What a site's footer promotes from a moment on, up to the next one of the plan. */
export interface PlannedPromotion {
  from: Moment;
  /** Missing where nothing is promoted then. */
  promotion: Promotion | undefined;
}

/** The promotion service, be it the embedded or a real one. Its functions throw UpstreamError, or what the store throws. */
export interface PromotionService {
  /** Lists what a site's footer promotes, in the order of time: what it does now, and the changes that are known. */
  planned(site: Site): Promise<PlannedPromotion[]>;
  /** Finds what staff preview; undefined where nothing is promoted then. */
  previewed(site: Site, preview: RequestedPreview): Promise<Promotion | undefined>;
}
