import { type Request, Router } from "express";
import { normalizeEmail } from "../../../client/rules/subscription.ts";
import { UnauthorizedError } from "../../errors.ts";
import type { CountryRegistry, Site } from "../../sites/countries.ts";
import { resolveServiceSite } from "../../sites/resolve-site.ts";
import { findStatus } from "../newsletter/read.ts";
import type { Database } from "../store/open-store.ts";

/** What the form takes from a customer's account. */
export interface Customer {
  email: string;
  salutation?: string;
  firstName?: string;
  lastName?: string;
  consents: string[];
}

/** Tells which customer is signed in; undefined when none is. */
export type Identify = (request: Request) => Promise<Customer | undefined>;

interface CustomerRouteDeps {
  db: Database;
  countries: CountryRegistry;
  /** Site of requests that name none. */
  defaultSite: Site;
  identify: Identify;
}

const base = "/service/newsletter/api/private/customers";

/** What the newsletter's form asks of a signed-in customer. */
export function customerRoutes({ db, countries, defaultSite, identify }: CustomerRouteDeps): Router {
  const router = Router();

  router.get(`${base}/base-data`, async (request, response) => {
    const { email, salutation, firstName, lastName, consents } = await customerOf(request);
    response.json({ email, salutation, firstName, lastName, consents });
  });

  router.get(`${base}/newsletter-status`, async (request, response) => {
    const { email } = await customerOf(request);
    const { site } = resolveServiceSite(request, countries) ?? defaultSite;
    response.json({ status: await findStatus(db, normalizeEmail(email), site) });
  });
  return router;

  async function customerOf(request: Request): Promise<Customer> {
    const customer = await identify(request);
    if (!customer) throw new UnauthorizedError("nobody is signed in");
    return customer;
  }
}
