import express, { type Request, type Response, Router } from "express";
import type { NewsletterAnswer } from "../../client/newsletter/newsletter-props.ts";
import { honeypotName, type SubscriptionValues } from "../../client/rules/subscription.ts";
import { minute } from "../../client/rules/time.ts";
import type { NewsletterSubscription } from "../../schemas/types.ts";
import { refuseCrossSite } from "../http/refuse-cross-site.ts";
import type { Texts } from "../i18n.ts";
import type { Logger } from "../logger.ts";
import { outcomeOf } from "../pages/form-outcome.ts";
import { failWith } from "../pages/page-answers.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import type { NewsletterForPages } from "../services/newsletter-service.ts";
import { readSubscription } from "../services/subscription-body.ts";
import type { Site } from "../sites/countries.ts";
import { offersNewsletter } from "../sites/offers-newsletter.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import type { NewsletterContents } from "./newsletter-content.ts";
import { createNewsletterPages } from "./newsletter-pages.tsx";

interface NewsletterFormDeps {
  logger: Logger;
  newsletter: NewsletterForPages;
  newsletterContents: NewsletterContents;
  pages: PageRenderer;
  siteOf: SiteResolver;
  texts: Texts;
}

const page = "/subscribenewsletter";
/**
 * The cookies that take the entered address, and where the form stood, to the page of thanks: an address in a query would
 * end up in logs.
 */
const cookies = { email: "NewsletterEmail", origin: "NewsletterOrigin" } as const;
const cookieOptions = { path: page, httpOnly: true, sameSite: "lax" } as const;

/** Answers the sign-up page, and its form as it is sent without script. */
export function newsletterFormRoutes(deps: NewsletterFormDeps): Router {
  const { logger, newsletter, siteOf } = deps;
  const newsletterPages = createNewsletterPages(deps);
  const router = Router();

  router.get(page, async (request, response) => {
    const { [cookies.email]: email, [cookies.origin]: tracked }: Record<string, unknown> = request.cookies;
    if (typeof email !== "string") return newsletterPages.sendBlock(request, response, siteOf.form(request));
    for (const name of Object.values(cookies)) response.clearCookie(name, cookieOptions);
    const answer = { status: "success", email, ...(typeof tracked === "string" && { tracked }) } as const;
    await newsletterPages.sendBlock(request, response, siteOf.form(request), answer);
  });

  router.post(
    "/newsletter",
    refuseCrossSite(),
    express.urlencoded({ extended: false, limit: "2kb", parameterLimit: 30 }),
    async (request: Request, response) => {
      const site = siteOf.form(request);
      if (!offersNewsletter(site)) return newsletterPages.sendBlock(request, response, site);
      const { [honeypotName]: bait, site: _site, ...fields } = { ...request.body };
      const subscription = readSubscription(toSubscription(fields));
      // Only machines fill the field that nobody sees: they are thanked like everybody else, and nothing happens.
      if (bait) return thank(request, response, site, subscription);
      const answer = await subscribe(subscription, request, response, site);
      if (answer) return newsletterPages.sendBlock(request, response, site, answer);
      thank(request, response, site, subscription);
    },
  );
  return router;

  /** @returns what the form has to say, with the status set; undefined when all went well */
  async function subscribe(
    subscription: NewsletterSubscription,
    request: Request,
    response: Response,
    site: Site,
  ): Promise<NewsletterAnswer | undefined> {
    const values: SubscriptionValues = { consents: [], ...subscription };
    const call = newsletter.subscribe(subscription, { site, address: request.ip });
    const result = await outcomeOf(call, logger, "the newsletter service did not take a sign-up");
    if (result.status === "accepted") return undefined;
    failWith(response, result);
    return result.status === "invalid"
      ? { status: "invalid", values, faults: result.faults }
      : { status: "technicalError", values };
  }

  /**
   * Leads to the thanks, and names the site of a form on another site's host, so that they are in the form's language.
   */
  function thank(request: Request, response: Response, { site }: Site, subscription: NewsletterSubscription) {
    const { email, origin = "NEWSLETTER", originAddition = "" } = subscription;
    const hosted = siteOf.host(request);
    const options = { ...cookieOptions, maxAge: minute, secure: request.secure };
    response.cookie(cookies.email, email, options);
    response.cookie(cookies.origin, `${origin}:${originAddition}`, options);
    response.redirect(303, hosted.site === site ? page : `${page}?site=${site}`);
  }
}

/**
 * Drops empty fields, which browsers send, too, and makes a list of one ticked box, which they send as a text. A form of
 * the shop's own may call the address `newsletterEmail`.
 */
function toSubscription({ consents = [], categories = [], newsletterEmail, ...fields }: Record<string, unknown>) {
  const given = Object.entries({ email: newsletterEmail ?? "", ...fields }).filter(([, value]) => value !== "");
  const chosen = [categories].flat();
  return {
    ...{ email: "", ...Object.fromEntries(given), consents: [consents].flat() },
    ...(chosen.length > 0 && { categories: chosen }),
  };
}
