import type { Promotion } from "../schemas/types.ts";
import type { Site } from "./countries.ts";
import type { Logger } from "./logger.ts";
import type { Preview } from "./shop/preview/preview-service.ts";
import { findPromotion } from "./shop/promotion/find-promotion.ts";
import type { Database } from "./shop/store/open-store.ts";

/** Finds the promotion that a site's footer shows in a preview; undefined when there is none. */
export type FindPreviewPromotion = (site: Site, preview: Preview) => Promise<Promotion | undefined>;

/** Finds it in the store; a failure is logged, and leaves the footer without one. */
export function createPreviewPromotions(db: Database, logger: Logger): FindPreviewPromotion {
  return async ({ site }, preview) => {
    try {
      return await findPromotion(db, "SHOP_FOOTER", { site, ...preview });
    } catch (error) {
      logger.warn({ site, err: error }, "promotion not found out");
      return undefined;
    }
  };
}
