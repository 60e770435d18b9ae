import { staffCookieNames } from "../../http/cookies.ts";
import type { PreviewOf } from "../../rendering/visitor.ts";
import { openServices } from "../../upstream/site-upstreams.ts";
import type { ActiveGroups } from "../abtests/service.ts";
import type { AppContext, Feature } from "../feature.ts";
import { seedDemoPromotions } from "./embedded/demo-promotions.ts";
import { createEmbeddedPromotions } from "./embedded/promotions.ts";
import { promotionRoutes } from "./embedded/routes.ts";
import type { PromotionService } from "./service.ts";
import { createPromotionUpstream } from "./upstream.ts";

/**
 * The promotions in the sites' footers.
 * @param groups - the groups of A/B tests for which shoppers may call
 */
export async function createPromotion(
  context: AppContext,
  previewOf: PreviewOf,
  groups: ActiveGroups,
): Promise<Feature & { promotions: PromotionService }> {
  const { upstreams } = context;
  const services = await openServices(upstreams.promotion, (real) =>
    real ? { promotions: createPromotionUpstream(real), routes: [] } : openEmbedded(context, previewOf, groups),
  );
  return {
    service: {
      name: "promotion",
      paths: [{ path: "/service/promotion", isPublic: true }],
      allowed: { cookies: staffCookieNames },
      upstreams: upstreams.promotion,
      routes: services.all.flatMap(({ routes }) => routes),
    },
    promotions: {
      planned: (site, group) => services.of(site).promotions.planned(site, group),
      previewed: (site, preview) => services.of(site).promotions.previewed(site, preview),
    },
  };
}

async function openEmbedded(
  { countries, env, openStore, siteOf, texts }: AppContext,
  previewOf: PreviewOf,
  groups: ActiveGroups,
) {
  const { db } = await openStore();
  if (env.demo) await seedDemoPromotions(db, countries.sites, texts, !env.upstreams.abtest);
  return { promotions: createEmbeddedPromotions(db), routes: [promotionRoutes(db, previewOf, siteOf, groups)] };
}
