import express, { type Request, type Response, Router } from "express";
import { honeypotName } from "../../../client/rules/subscription.ts";
import { minute } from "../../../client/rules/time.ts";
import type { NewsletterSubscription } from "../../../schemas/types.ts";
import { refuseCrossSite } from "../../http/csrf.ts";
import { createBodyReader } from "../../http/request-input.ts";
import { RequestError } from "../../platform/errors.ts";
import { setFailureStatus, settleForm } from "../../rendering/error-pages.ts";
import type { Site } from "../../sites/countries.ts";
import { offersNewsletter } from "../../sites/site.ts";
import type { AppContext } from "../feature.ts";
import { confirmations, type NewsletterPages } from "./newsletter-pages.tsx";
import type { Caller, NewsletterService } from "./service.ts";

const readSubscription = createBodyReader<NewsletterSubscription>("newsletter-subscription");

const page = "/subscribenewsletter";
/** Cookies for the page of thanks: the address, which in a query would be logged, and the place of the form. */
const cookies = { email: "NewsletterEmail", origin: "NewsletterOrigin" } as const;
const cookieOptions = { path: page, httpOnly: true, sameSite: "lax" } as const;

/** The sign-up page, and its form as it is sent without script. */
export function newsletterFormRoutes(
  { logger, siteOf }: AppContext,
  newsletter: NewsletterService,
  { sendBlock }: NewsletterPages,
): Router {
  const router = Router();

  router.get(page, async (request, response) => {
    const { [cookies.email]: email, [cookies.origin]: tracked }: Record<string, unknown> = request.cookies;
    if (typeof email !== "string") return sendBlock(request, response, siteOf.form(request));
    for (const name of Object.values(cookies)) response.clearCookie(name, cookieOptions);
    const answer = { status: "success", email, ...(typeof tracked === "string" && { tracked }) } as const;
    await sendBlock(request, response, siteOf.form(request), answer);
  });

  router.post(
    "/newsletter",
    refuseCrossSite(),
    express.urlencoded({ extended: false, limit: "2kb", parameterLimit: 30 }),
    async (request: Request, response) => {
      const site = siteOf.form(request);
      if (!offersNewsletter(site)) return sendBlock(request, response, site);
      const { [honeypotName]: bait, site: _site, ...fields } = { ...request.body };
      const subscription = readSubscription(toSubscription(fields));
      // Only bots fill in the invisible field. They get the usual answer, and nothing is stored.
      const result = bait
        ? ({ status: "accepted" } as const)
        : await settleForm(
            newsletter.subscribe(subscription, callerOf(request, site)),
            logger,
            "the newsletter service did not take a sign-up",
          );
      if (result.status === "accepted") return redirectToThanks(request, response, site, subscription);
      setFailureStatus(response, result);
      const values = { consents: [], ...subscription };
      const isInvalid = result.status === "invalid";
      const answer = isInvalid ? { ...result, values } : ({ status: "technicalError", values } as const);
      await sendBlock(request, response, site, answer);
    },
  );
  return router;

  /** The site is named if the form was on another site's host, so that the page is in the form's language. */
  function redirectToThanks(
    request: Request,
    response: Response,
    { site }: Site,
    subscription: NewsletterSubscription,
  ) {
    const { email, origin = "NEWSLETTER", originAddition = "" } = subscription;
    const options = { ...cookieOptions, maxAge: minute, secure: request.secure };
    response.cookie(cookies.email, email, options);
    response.cookie(cookies.origin, `${origin}:${originAddition}`, options);
    response.redirect(303, siteOf.host(request).site === site ? page : `${page}?site=${site}`);
  }
}

/**
 * Drops empty fields, which browsers send as well, and makes lists of single ticked boxes, which they send as texts. A
 * shop's own form may call the address `newsletterEmail`.
 */
function toSubscription({ consents = [], categories = [], newsletterEmail, ...fields }: Record<string, unknown>) {
  const given = Object.entries({ email: newsletterEmail ?? "", ...fields }).filter(([, value]) => value !== "");
  const chosen = [categories].flat();
  return {
    ...{ email: "", ...Object.fromEntries(given), consents: [consents].flat() },
    ...(chosen.length > 0 && { categories: chosen }),
  };
}

const outcomeOf = { refuse: "refused", unsubscribe: "unsubscribed" } as const;

/**
 * The pages to which the links of mails lead. A GET shows a button and changes nothing, because mail scanners follow
 * links as well. The button's POST acts, and redirects to the page that confirms it.
 */
export function newsletterLinkRoutes(
  { siteOf }: AppContext,
  newsletter: NewsletterService,
  { sendAction, sendBlock, sendOutcome }: NewsletterPages,
): Router {
  const router = Router();
  const form = [refuseCrossSite(), express.urlencoded({ extended: false, limit: "2kb", parameterLimit: 5 })];

  router.get("/newsletter/confirm", async (request, response) => {
    const site = siteOf.page(request);
    const token = String(request.query.token ?? "");
    const found = await newsletter.read(token, callerOf(request, site));
    const status = found.status === "found" ? found.subscription.status : undefined;
    if (status === "WAITING_FOR_DOI") return sendAction(request, response, site, "confirm", token);
    if (status === "SUBSCRIBED") return sendOutcome(request, response, site, "alreadyConfirmed");
    if (status === "NONE") return sendAction(request, response, site, "resend", token);
    await sendBlock(request, response, site, { status: "invalidLink" });
  });

  router.post("/newsletter/confirm", form, async (request: Request, response: Response) => {
    const site = siteOf.page(request);
    const token = tokenOf(request);
    const result = await newsletter.confirm(token, callerOf(request, site));
    if (result.status === "subscribed") return response.redirect(303, "/newsletter/confirmed");
    setFailureStatus(response, result);
    if (result.status === "expired") return sendAction(request, response, site, "resend", token);
    await sendBlock(request, response, site, { status: "invalidLink" });
  });

  for (const action of ["refuse", "unsubscribe"] as const) {
    router.get(`/newsletter/${action}`, async (request, response) => {
      await sendAction(request, response, siteOf.page(request), action, String(request.query.token ?? ""));
    });

    router.post(`/newsletter/${action}`, form, async (request: Request, response: Response) => {
      const site = siteOf.page(request);
      const result = await newsletter[action](tokenOf(request), callerOf(request, site));
      if (result.status === "ended") return response.redirect(303, `/newsletter/${outcomeOf[action]}`);
      await sendOutcome(request, setFailureStatus(response, result), site, "unknownLink");
    });
  }

  router.post("/newsletter/resend", form, async (request: Request, response: Response) => {
    const site = siteOf.page(request);
    const result = await newsletter.resend(tokenOf(request), callerOf(request, site));
    if (result.status === "accepted") return response.redirect(303, "/newsletter/resent");
    setFailureStatus(response, result);
    if (result.status === "rateLimited") return sendOutcome(request, response, site, "tooMany");
    await sendBlock(request, response, site, { status: "invalidLink" });
  });

  for (const outcome of confirmations) {
    router.get(`/newsletter/${outcome}`, async (request, response) => {
      await sendOutcome(request, response, siteOf.page(request), outcome);
    });
  }
  return router;
}

function callerOf(request: Request, site: Site): Caller {
  return { site, address: request.ip };
}

function tokenOf({ body }: Request): string {
  if (typeof body?.token !== "string") throw new RequestError("badRequest", "token is missing");
  return body.token;
}
