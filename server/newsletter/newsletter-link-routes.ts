import express, { type Request, type Response, Router } from "express";
import { RequestError } from "../errors.ts";
import { refuseCrossSite } from "../http/refuse-cross-site.ts";
import type { Texts } from "../i18n.ts";
import { failWith } from "../pages/page-answers.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import type { Caller, NewsletterForPages } from "../services/newsletter-service.ts";
import type { Site } from "../sites/countries.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import type { NewsletterContents } from "./newsletter-content.ts";
import { createNewsletterPages, type LinkOutcome } from "./newsletter-pages.tsx";

interface NewsletterLinkDeps {
  newsletter: NewsletterForPages;
  newsletterContents: NewsletterContents;
  pages: PageRenderer;
  siteOf: SiteResolver;
  texts: Texts;
}

const done = { refuse: "refused", unsubscribe: "unsubscribed" } as const;
const outcomes = ["confirmed", "refused", "unsubscribed", "resent"] as const satisfies LinkOutcome[];

/**
 * Answers the pages to which the links of the newsletter's mails lead. A GET shows one button and changes nothing, as
 * mail scanners open links, too. The button's POST acts, and leads to the page that says so.
 */
export function newsletterLinkRoutes({ newsletter, siteOf, ...deps }: NewsletterLinkDeps): Router {
  const router = Router();
  const { sendAction, sendBlock, sendOutcome } = createNewsletterPages(deps);
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
    failWith(response, result);
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
      if (result.status === "ended") return response.redirect(303, `/newsletter/${done[action]}`);
      await sendOutcome(request, failWith(response, result), site, "unknownLink");
    });
  }

  router.post("/newsletter/resend", form, async (request: Request, response: Response) => {
    const site = siteOf.page(request);
    const result = await newsletter.resend(tokenOf(request), callerOf(request, site));
    if (result.status === "accepted") return response.redirect(303, "/newsletter/resent");
    failWith(response, result);
    if (result.status === "rateLimited") return sendOutcome(request, response, site, "tooMany");
    await sendBlock(request, response, site, { status: "invalidLink" });
  });

  for (const outcome of outcomes) {
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
