import { second } from "../../../client/rules/time.ts";
import type { Promotion, PromotionAnswer } from "../../../schemas/types.ts";
import { refuseBrokenLetters } from "../../platform/broken-letters.ts";
import { createValidator } from "../../platform/validate.ts";
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
    planned: async (site) => [{ from: -Infinity, promotion: await find(site) }],
    previewed: (site, { cookie }) => find(site, cookie),
  };

  /**
   * @param cookie - that of staff who preview; undefined for the promotion that everybody sees, which is polled
   */
  async function find({ site }: Site, cookie?: string): Promise<Promotion | undefined> {
    const answer = await fetchJson({
      path: `${promotionPath}/${footerKey}`,
      headers: { "x-site": site, ...(cookie !== undefined && { cookie }) },
      polledFor: cookie === undefined ? site : undefined,
      validate: validateAnswer,
    });
    return answer && parseUpstreamJson(name, "contentJSON", answer.contentJSON, validatePromotion);
  }
}
