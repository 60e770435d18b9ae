import { salutations } from "../../rules/salutations.ts";
import { consents, normalizeName, type SubscriptionValues } from "../../rules/subscription.ts";
import { callService, type ServiceAnswer } from "../../services/call-service.ts";

export type SubscriptionOutcome = "SUCCESS" | "ERROR_GENERIC" | "ERROR_INVALID_EMAIL";

interface SubscriptionRequest extends SubscriptionValues {
  origin: "NEWSLETTER" | "SHOPPING_CART";
  originAddition: string;
}

/**
 * Signs an address up for the newsletter of a site.
 * @param site - the site's code
 */
export async function subscribeNewsletter(request: SubscriptionRequest, site: string): Promise<SubscriptionOutcome> {
  const api = document.documentElement.dataset.singlePageApp === "true" ? "private" : "internal";
  const names = {
    firstName: normalizeName(request.firstName ?? "") || undefined,
    lastName: normalizeName(request.lastName ?? "") || undefined,
  };
  const { response, body } = await callService(`/service/newsletter/api/${api}/newsletter-subscribers`, {
    method: "POST",
    headers: { "X-Site": site },
    body: { ...request, ...names },
  });
  if (response.ok) return "SUCCESS";
  return body.type === "INVALID_EMAIL" ? "ERROR_INVALID_EMAIL" : "ERROR_GENERIC";
}

/** The service's answer, requested at most once per page. */
let customer: Promise<SubscriptionValues | undefined> | undefined;

/**
 * Fetches the data of the signed-in customer.
 * @returns undefined if nobody is signed in, or the call fails
 */
export function fetchCustomer(): Promise<SubscriptionValues | undefined> {
  customer ??= requestCustomer();
  return customer;
}

async function requestCustomer(): Promise<SubscriptionValues | undefined> {
  const address = "/service/newsletter/api/private/customers/base-data";
  const { response, body } = await callService(address, { cache: "no-store" });
  return response.ok ? readCustomer(body) : undefined;
}

function readCustomer(body: ServiceAnswer["body"]): SubscriptionValues {
  const given: unknown[] = Array.isArray(body.consents) ? body.consents : [];
  return {
    email: textOf(body.email) ?? "",
    salutation: salutations.find((known) => known === body.salutation),
    firstName: textOf(body.firstName),
    lastName: textOf(body.lastName),
    consents: consents.filter((consent) => given.includes(consent)),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
