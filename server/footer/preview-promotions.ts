import type { Promotion } from "../../schemas/types.ts";
import type { Logger } from "../logger.ts";
import type { RequestedPreview } from "../preview/preview-of.ts";
import type { Site } from "../sites/countries.ts";

/** Finds the promotion that a site's footer shows in a preview; undefined when there is none. */
export type FindPreviewPromotion = (site: Site, preview: RequestedPreview) => Promise<Promotion | undefined>;

/** A failure is logged, and leaves the footer without one. */
export function createPreviewPromotions(find: FindPreviewPromotion, logger: Logger): FindPreviewPromotion {
  return async (site, preview) => {
    try {
      return await find(site, preview);
    } catch (error) {
      logger.warn({ site: site.site, err: error }, "promotion not found out");
      return undefined;
    }
  };
}
