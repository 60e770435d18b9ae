import { second } from "../../../client/rules/time.ts";
import type { Promotion, PromotionAnswer } from "../../../schemas/types.ts";
import { refuseBrokenLetters } from "../../platform/broken-letters.ts";
import { createValidator } from "../../platform/validate.ts";
import { type AbGroup, variantOf } from "../../rendering/ab-group.ts";
import type { Site } from "../../sites/countries.ts";
import { createFetchJson, parseUpstreamJson } from "../../upstream/fetch-json.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { footerKey, type PromotionService, promotionPath } from "./service.ts";

/**
 * Creates the client of the real promotion service. It knows no later promotions. With the cookies of staff, it returns
 * the promotion that they preview.
 */
export function createPromotionUpstream(upstream: Upstream): PromotionService {
  const name = "promotion";
  // The service's start waits for the first calls.
  const fetchJson = createFetchJson({ ...upstream, name, deadline: 2 * second, maxAnswer: 64 * 1024 });
  const validateAnswer = createValidator<PromotionAnswer>("promotion-answer");
  const validatePromotion = refuseBrokenLetters(createValidator<Promotion>("promotion"));
  return {
    planned: async (site, group) => [{ from: -Infinity, promotion: await find(site, { group }) }],
    previewed: (site, { cookie }) => find(site, { cookie }),
  };

  /**
   * @param viewer - the cookie of staff who preview; or the group of an A/B test, undefined for everybody. The promotions
   * of both are polled
   */
  async function find(
    { site }: Site,
    { cookie, group }: { cookie?: string; group?: AbGroup | undefined },
  ): Promise<Promotion | undefined> {
    const query = group ? `?${new URLSearchParams({ ...group })}` : "";
    const answer = await fetchJson({
      path: `${promotionPath}/${footerKey}${query}`,
      headers: { "x-site": site, ...(cookie !== undefined && { cookie }) },
      polledFor: cookie === undefined ? [site, ...(group ? [variantOf(group)] : [])].join(" ") : undefined,
      validate: validateAnswer,
    });
    return answer && parseUpstreamJson(name, "contentJSON", answer.contentJSON, validatePromotion);
  }
}
