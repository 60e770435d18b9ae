import { type Request, Router } from "express";
import { RequestError } from "../../../platform/errors.ts";
import type { Preview, PreviewOf } from "../../../rendering/visitor.ts";
import type { SiteResolver } from "../../../sites/resolve-site.ts";
import type { Database } from "../../../store/open-store.ts";
import type { ActiveGroups } from "../../abtests/service.ts";
import { promotionPath } from "../service.ts";
import { findPromotion } from "./promotions.ts";

/** Answers the calls of the embedded promotion service. */
export function promotionRoutes(
  db: Database,
  previewOf: PreviewOf,
  siteOf: SiteResolver,
  groups: ActiveGroups,
): Router {
  const router = Router();
  router.get(`${promotionPath}/:key`, async (request, response) => {
    const { site } = siteOf.call(request);
    const viewer = (await previewOf(request)) ?? (await shopper(request.query));
    const key = String(request.params.key);
    // PostgreSQL rejects a NUL.
    const promotion = /^\w{1,64}$/.test(key) ? await findPromotion(db, key, site, viewer) : undefined;
    if (!promotion) throw new RequestError("notFound", "no such promotion");
    response.json({ contentJSON: JSON.stringify(promotion) });
  });
  return router;

  /** Reads the group of an A/B test for which a call is. Unless it is active, the call is for everybody. */
  async function shopper({ test, group }: Request["query"]): Promise<Preview> {
    if (typeof test !== "string" || typeof group !== "string") return { at: Date.now() };
    await groups.want();
    // After the first fetch, before whose moment nothing is known.
    const at = Date.now();
    return groups.stateOf({ test, group }, at)?.isActive ? { at, selection: { test, group } } : { at };
  }
}
