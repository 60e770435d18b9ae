import { second } from "../../../client/rules/time.ts";
import type { Promotion, PromotionAnswer } from "../../../schemas/types.ts";
import { staffCookieHeader, staffCookieNames } from "../../http/staff-cookies.ts";
import { createValidator } from "../../platform/validate.ts";
import type { PreviewOf } from "../../rendering/visitor.ts";
import type { Site } from "../../sites/countries.ts";
import { createFetchJson, parseJson } from "../../upstream/fetch-json.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import type { AppContext, Feature } from "../feature.ts";
import { findPromotion, planPromotions, promotionRoutes, seedDemoPromotions } from "./embedded.ts";
import type { PromotionService } from "./service.ts";

interface PromotionFeature extends Feature {
  promotions: PromotionService;
}

/** What the footers of the sites promote. */
export async function createPromotion(context: AppContext, previewOf: PreviewOf): Promise<PromotionFeature> {
  const { countries, env, openStore, siteOf, texts, upstreams } = context;
  const service = {
    name: "promotion",
    paths: [{ path: "/service/promotion" }],
    allowed: { cookies: staffCookieNames },
    upstream: upstreams.promotion,
  };
  if (upstreams.promotion)
    return { service: { ...service, routes: [] }, promotions: createPromotionUpstream(upstreams.promotion) };
  const { db } = await openStore();
  if (env.demo) await seedDemoPromotions(db, countries.sites, texts);
  return {
    service: { ...service, routes: [promotionRoutes(db, previewOf, siteOf)] },
    promotions: {
      planned: ({ site }) => planPromotions(db, "SHOP_FOOTER", { site, at: Date.now() }),
      previewed: ({ site }, { at, selection }) => findPromotion(db, "SHOP_FOOTER", { site, at, selection }),
    },
  };
}

const name = "promotion";
const path = "/service/promotion/api/promotion/SHOP_FOOTER";

/** Longest time for one call: the service's start waits for the first ones. */
const deadline = 2 * second;
const maxAnswer = 64 * 1024;

/**
 * Creates the caller of the real promotion service. It says nothing of later promotions; with the cookies of staff it
 * gives the one that they preview. The functions throw UpstreamError.
 */
export function createPromotionUpstream(upstream: Upstream): PromotionService {
  const fetchJson = createFetchJson({ ...upstream, name, deadline, maxAnswer });
  const validateAnswer = createValidator<PromotionAnswer>("promotion-answer", "answers");
  const validatePromotion = createValidator<Promotion>("promotion", "answers");
  return {
    planned: async (site) => [{ from: -Infinity, promotion: await find(site) }],
    previewed: (site, { cookies }) => find(site, { cookie: staffCookieHeader(cookies) }),
  };

  async function find({ site }: Site, more: Record<string, string> = {}): Promise<Promotion | undefined> {
    const answer = await fetchJson({ path, headers: { "x-site": site, ...more }, validate: validateAnswer });
    return answer && parseJson(name, "contentJSON", answer.contentJSON, validatePromotion);
  }
}
