import { second } from "../../client/rules/time.ts";
import type { Promotion, PromotionAnswer } from "../../schemas/types.ts";
import type { PromotionService } from "../services/promotion-service.ts";
import { staffCookieHeader } from "../services/staff-cookies.ts";
import type { Site } from "../sites/countries.ts";
import { createAnswerValidator } from "../validate.ts";
import { createFetchJson } from "./fetch-json.ts";
import { parseJson } from "./parse-json.ts";
import type { Upstream } from "./upstream.ts";

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
  const validateAnswer = createAnswerValidator<PromotionAnswer>("promotion-answer");
  const validatePromotion = createAnswerValidator<Promotion>("promotion");
  return {
    planned: async (site) => [{ from: -Infinity, promotion: await find(site) }],
    previewed: (site, { cookies }) => find(site, { cookie: staffCookieHeader(cookies) }),
  };

  async function find({ site }: Site, more: Record<string, string> = {}): Promise<Promotion | undefined> {
    const answer = await fetchJson({ path, headers: { "x-site": site, ...more }, validate: validateAnswer });
    return answer && parseJson(name, "contentJSON", answer.contentJSON, validatePromotion);
  }
}
