import { Router } from "express";
import { RequestError } from "../../../platform/errors.ts";
import type { PreviewOf } from "../../../rendering/visitor.ts";
import type { SiteResolver } from "../../../sites/resolve-site.ts";
import type { Database } from "../../../store/open-store.ts";
import { promotionPath } from "../service.ts";
import { findPromotion } from "./promotions.ts";

/** Answers the calls of the embedded promotion service. */
export function promotionRoutes(db: Database, previewOf: PreviewOf, siteOf: SiteResolver): Router {
  const router = Router();
  router.get(`${promotionPath}/:key`, async (request, response) => {
    const { site } = siteOf.call(request);
    const preview = (await previewOf(request)) ?? { at: Date.now() };
    const key = String(request.params.key);
    // PostgreSQL rejects a NUL.
    const promotion = /^\w{1,64}$/.test(key) ? await findPromotion(db, key, site, preview) : undefined;
    if (!promotion) throw new RequestError("notFound", "no such promotion");
    response.json({ contentJSON: JSON.stringify(promotion) });
  });
  return router;
}
