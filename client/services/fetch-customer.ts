import { type SalutationValue, salutations } from "../rules/salutations.ts";
import { type Consent, consents } from "../rules/subscription.ts";
import { callService, type ServiceAnswer } from "./call-service.ts";

/** What the shop knows of a signed-in customer. */
export interface KnownCustomer {
  email: string | undefined;
  salutation: SalutationValue | undefined;
  firstName: string | undefined;
  lastName: string | undefined;
  consents: Consent[];
}

/** The answer of the service, which is asked at most once per page. */
let customer: Promise<KnownCustomer | undefined> | undefined;

/**
 * Asks what the shop knows of the customer that this browser is signed in as.
 * @returns undefined when it is nobody, or can't be found out
 */
export function fetchCustomer(): Promise<KnownCustomer | undefined> {
  customer ??= requestCustomer();
  return customer;
}

async function requestCustomer(): Promise<KnownCustomer | undefined> {
  const address = "/service/newsletter/api/private/customers/base-data";
  const { response, body } = await callService(address, { cache: "no-store" });
  return response.ok ? readCustomer(body) : undefined;
}

function readCustomer(body: ServiceAnswer["body"]): KnownCustomer {
  const given: unknown[] = Array.isArray(body.consents) ? body.consents : [];
  return {
    email: textOf(body.email),
    salutation: salutations.find((known) => known === body.salutation),
    firstName: textOf(body.firstName),
    lastName: textOf(body.lastName),
    consents: consents.filter((consent) => given.includes(consent)),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
