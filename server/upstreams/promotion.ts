import { second } from "../../client/rules/time.ts";
import type { Promotion, PromotionAnswer } from "../../schemas/types.ts";
import type { FindPromotion } from "../services/promotion-service.ts";
import { staffCookieHeader } from "../services/staff-cookies.ts";
import { createAnswerValidator } from "../validate.ts";
import { createFetchJson } from "./fetch-json.ts";
import { parseJson } from "./parse-json.ts";
import type { UpstreamOrigin } from "./upstream.ts";

const name = "promotion";
const path = "/service/promotion/api/promotion/SHOP_FOOTER";

/** Longest time for one call: the service's start waits for the first ones. */
const deadline = 2 * second;
const maxAnswer = 64 * 1024;

/**
 * Creates the caller of the real promotion service. Its function finds the footer's promotion: that of now, or with the
 * cookies of staff the one that they preview. It throws UpstreamError.
 */
export function createPromotionUpstream(upstream: UpstreamOrigin): FindPromotion {
  const fetchJson = createFetchJson({ ...upstream, name, deadline, maxAnswer });
  const validateAnswer = createAnswerValidator<PromotionAnswer>("promotion-answer");
  const validatePromotion = createAnswerValidator<Promotion>("promotion");
  return async ({ site }, preview) => {
    const headers = { "x-site": site, ...(preview && { cookie: staffCookieHeader(preview.cookies) }) };
    const answer = await fetchJson({ path, headers, validate: validateAnswer });
    return answer && parseJson(name, "contentJSON", answer.contentJSON, validatePromotion);
  };
}
