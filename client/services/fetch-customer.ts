import type { SubscriptionValues } from "../rules/subscription.ts";

/** What the shop knows of a signed-in customer. */
export type Customer = Partial<SubscriptionValues>;

/** Longest wait for an answer, in milliseconds. */
const timeout = 15_000;

/** Of this page's visitor: asked for at most once. */
let customer: Promise<Customer | undefined> | undefined;

/**
 * Asks what the shop knows of the customer that this browser is signed in as.
 * @returns undefined when it is nobody, or can't be found out
 */
export function fetchCustomer(): Promise<Customer | undefined> {
  customer ??= requestCustomer();
  return customer;
}

async function requestCustomer(): Promise<Customer | undefined> {
  try {
    const response = await fetch("/service/newsletter/api/private/customers/base-data", {
      cache: "no-store",
      signal: AbortSignal.timeout(timeout),
    });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
