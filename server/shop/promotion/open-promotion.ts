import type { PreviewOf } from "../../services/preview-of.ts";
import type { PromotionService } from "../../services/promotion-service.ts";
import type { SiteResolver } from "../../sites/resolve-site.ts";
import type { EmbeddedService } from "../embedded-service.ts";
import type { Database } from "../store/open-store.ts";
import { findPromotion, planPromotions } from "./find-promotion.ts";
import { promotionRoutes } from "./promotion-routes.ts";

/** Opens the embedded promotion service. */
export function openPromotion(
  db: Database,
  previewOf: PreviewOf,
  siteOf: SiteResolver,
): EmbeddedService & { service: PromotionService } {
  return {
    service: {
      planned: ({ site }) => planPromotions(db, "SHOP_FOOTER", { site, at: Date.now() }),
      previewed: ({ site }, { at, selection }) => findPromotion(db, "SHOP_FOOTER", { site, at, selection }),
    },
    routes: [promotionRoutes({ db, previewOf, siteOf })],
    jobs: [],
  };
}
