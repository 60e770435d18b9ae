import { type Request, type Response, Router } from "express";
import { normalizeEmail } from "../../../client/rules/email.ts";
import { isSignedIn } from "../../../client/rules/login-token.ts";
import type { Caller } from "../../http/cookies.ts";
import { RequestError } from "../../platform/errors.ts";
import type { Site } from "../../sites/countries.ts";
import type { AppContext, Feature } from "../feature.ts";
import type { KnownSubscription, ListSubscriptions } from "../newsletter/service.ts";
import type { Customer, CustomerSessions } from "./service.ts";

const base = "/service/newsletter/api/private/customers";

/** The calls that prefill forms for a signed-in customer. */
export function createCustomer(
  { siteOf, upstreams }: AppContext,
  sessionsOf: (site: Site) => CustomerSessions,
  listSubscriptions: ListSubscriptions,
): Feature {
  const router = Router();

  router.get(`${base}/base-data`, async (request, response) => {
    const { customer, site, subscriptions } = await requireCustomer(request, response);
    response.json(addSubscriptions(customer, subscriptions, site));
  });

  router.get(`${base}/newsletter-status`, async (request, response) => {
    const { site, subscriptions } = await requireCustomer(request, response);
    response.json({ status: subscriptions.find((known) => known.site === site)?.status ?? "NONE" });
  });

  router.get("/service/customerfrontenddata/api/v1/psdata", async (request, response) => {
    const sessions = sessionsOf(siteOf.call(request));
    const email = await sessions.findKnownEmail(callerOf(request));
    if (email === undefined) await clearEndedSession(sessions, request, response);
    response.json({ email });
  });

  return {
    service: {
      name: "customer",
      paths: [{ path: base }, { path: "/service/customerfrontenddata" }],
      allowed: { loginToken: true },
      upstreams: upstreams.customer,
      routes: upstreams.customer.all.has(undefined) ? [router] : [],
    },
  };

  async function requireCustomer(request: Request, response: Response) {
    const site = siteOf.call(request);
    const sessions = sessionsOf(site);
    const customer = await sessions.identify(callerOf(request));
    if (!customer) await clearEndedSession(sessions, request, response);
    if (!customer) throw new RequestError("unauthorized", "nobody is signed in");
    return { customer, site: site.site, subscriptions: await listSubscriptions(normalizeEmail(customer.email)) };
  }
}

/**
 * Removes the clock of a session that has ended without its browser, such as by the back channel of an identity
 * provider. Otherwise pages would take the visitor for signed in until it runs out.
 */
async function clearEndedSession(sessions: CustomerSessions, request: Request, response: Response): Promise<void> {
  if (!isSignedIn(request.cookies.LoginToken)) return;
  const cookies = await sessions.removeEndedClock(callerOf(request));
  if (cookies.length > 0) response.append("Set-Cookie", cookies);
}

/** Returns the caller with the credential in X-Login-Token, which a service in front of this one sends. */
function callerOf(request: Request): Caller {
  const login = request.get("X-Login-Token");
  const { cookies, host, ip, secure } = request;
  return login === undefined ? request : { host, ip, secure, cookies: { ...cookies, login } };
}

/**
 * Adds the confirmed newsletter subscriptions of an account's address. The account's own name takes precedence, then
 * that of the subscription on this site, then the latest on another. Adds only consents for this site.
 */
function addSubscriptions(customer: Customer, subscriptions: readonly KnownSubscription[], site: string): Customer {
  const confirmed = subscriptions.filter(({ status }) => status === "SUBSCRIBED");
  const here = confirmed.filter((subscription) => subscription.site === site);
  const others = confirmed.filter((subscription) => subscription.site !== site);
  const known = [customer, ...here, ...others];
  const first = (field: "salutation" | "firstName" | "lastName") =>
    known.find((one) => one[field])?.[field] ?? undefined;
  return {
    email: customer.email,
    salutation: first("salutation"),
    firstName: first("firstName"),
    lastName: first("lastName"),
    consents: [...new Set([...customer.consents, ...here.flatMap(({ consents }) => consents)])],
  };
}
