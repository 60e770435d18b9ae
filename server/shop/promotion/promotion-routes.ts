import { type Request, Router } from "express";
import { RequestError } from "../../errors.ts";
import type { PreviewOf } from "../../services/preview-of.ts";
import type { SiteResolver } from "../../sites/resolve-site.ts";
import type { Database } from "../store/open-store.ts";
import { findPromotion } from "./find-promotion.ts";

interface PromotionRouteDeps {
  db: Database;
  previewOf: PreviewOf;
  siteOf: SiteResolver;
}

/** Answers the calls of the promotion service: what is promoted in a place of the shop. */
export function promotionRoutes({ db, previewOf, siteOf }: PromotionRouteDeps): Router {
  const router = Router();
  router.get("/service/promotion/api/promotion/:key", async (request, response) => {
    const { site } = siteOf.call(request);
    const { at, selection } = (await previewOf(request)) ?? { at: Date.now() };
    const content = await findPromotion(db, keyOf(request), { site, at, selection });
    if (!content) throw new RequestError("notFound", "no such promotion");
    response.json({ contentJSON: JSON.stringify(content) });
  });
  return router;
}

/** Reads the key of a path, which must be a plain name: PostgreSQL would fail at a NUL. */
function keyOf({ params }: Request): string {
  const key = String(params.key);
  if (!/^\w{1,64}$/.test(key)) throw new RequestError("notFound", "no such promotion");
  return key;
}
