import type { SubscriptionValues } from "../rules/subscription.ts";

export type SubscriptionStatus = "SUCCESS" | "ERROR_GENERIC" | "ERROR_INVALID_EMAIL";

export interface SubscriptionRequest extends SubscriptionValues {
  origin: "NEWSLETTER" | "SHOPPING_CART";
  originAddition: string;
}

/** Longest wait for an answer, in milliseconds. */
const timeout = 15_000;

/**
 * Signs an address up for the newsletter of a site. Never throws: what goes wrong is a status.
 * @param site - as in `?site=`
 */
export async function subscribeNewsletter(request: SubscriptionRequest, site: string): Promise<SubscriptionStatus> {
  const api = document.documentElement.dataset.singlePageApp === "true" ? "private" : "internal";
  try {
    const response = await fetch(`/service/newsletter/api/${api}/newsletter-subscribers`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-hunter-csrf": "1", "X-Site": site },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(timeout),
    });
    if (response.ok) return "SUCCESS";
    const error: { type?: unknown } | null = await response.json();
    return error?.type === "INVALID_EMAIL" ? "ERROR_INVALID_EMAIL" : "ERROR_GENERIC";
  } catch {
    return "ERROR_GENERIC";
  }
}
