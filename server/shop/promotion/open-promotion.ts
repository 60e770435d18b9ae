import type { PreviewOf } from "../../services/preview-of.ts";
import type { FindPromotion } from "../../services/promotion-service.ts";
import type { SiteResolver } from "../../sites/resolve-site.ts";
import type { EmbeddedService } from "../embedded-service.ts";
import type { Database } from "../store/open-store.ts";
import { findPromotion } from "./find-promotion.ts";
import { promotionRoutes } from "./promotion-routes.ts";

/** Opens the embedded promotion service. */
export function openPromotion(
  db: Database,
  previewOf: PreviewOf,
  siteOf: SiteResolver,
): EmbeddedService & { find: FindPromotion } {
  return {
    find: ({ site }, preview) =>
      findPromotion(db, "SHOP_FOOTER", { site, at: preview?.at ?? Date.now(), selection: preview?.selection }),
    routes: [promotionRoutes({ db, previewOf, siteOf })],
    jobs: [],
  };
}
