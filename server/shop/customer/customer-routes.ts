import { type Request, Router } from "express";
import { normalizeEmail } from "../../../client/rules/email.ts";
import { RequestError } from "../../errors.ts";
import type { Customer, Identify } from "../../services/customer-service.ts";
import type { SiteResolver } from "../../sites/resolve-site.ts";
import { findStatus } from "../newsletter/read.ts";
import type { Database } from "../store/open-store.ts";
import { addSignUps } from "./add-sign-ups.ts";

interface CustomerRouteDeps {
  db: Database;
  identify: Identify;
  siteOf: SiteResolver;
}

const base = "/service/newsletter/api/private/customers";

/** Answers what the newsletter's form wants to know of a signed-in customer. */
export function customerRoutes({ db, identify, siteOf }: CustomerRouteDeps): Router {
  const router = Router();

  router.get(`${base}/base-data`, async (request, response) => {
    const customer = await customerOf(request);
    response.json(await addSignUps(db, customer, siteOf.call(request).site));
  });

  router.get(`${base}/newsletter-status`, async (request, response) => {
    const { email } = await customerOf(request);
    const { site } = siteOf.call(request);
    response.json({ status: await findStatus(db, normalizeEmail(email), site) });
  });
  return router;

  async function customerOf(request: Request): Promise<Customer> {
    const customer = await identify(request);
    if (!customer) throw new RequestError("unauthorized", "nobody is signed in");
    return customer;
  }
}
