import type { SubscriptionValues } from "../rules/subscription.ts";
import { callService } from "./call-service.ts";

export type SubscriptionOutcome = "SUCCESS" | "ERROR_GENERIC" | "ERROR_INVALID_EMAIL";

export interface SubscriptionRequest extends SubscriptionValues {
  origin: "NEWSLETTER" | "SHOPPING_CART";
  originAddition: string;
}

/**
 * Signs an address up for the newsletter of a site.
 * @param site - the site's code
 */
export async function subscribeNewsletter(request: SubscriptionRequest, site: string): Promise<SubscriptionOutcome> {
  const api = document.documentElement.dataset.singlePageApp === "true" ? "private" : "internal";
  const { response, body } = await callService(`/service/newsletter/api/${api}/newsletter-subscribers`, {
    method: "POST",
    headers: { "X-Site": site },
    body: request,
  });
  if (response.ok && body.status === "ACCEPTED") return "SUCCESS";
  return body.type === "INVALID_EMAIL" ? "ERROR_INVALID_EMAIL" : "ERROR_GENERIC";
}
