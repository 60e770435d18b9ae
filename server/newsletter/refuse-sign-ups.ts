import type { RequestHandler } from "express";
import { describeFailure } from "../http/program-answers.ts";
import { setAudience } from "../http/who-may-store.ts";
import { offersNewsletter } from "../sites/offers-newsletter.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";

/** Refuses the sign-ups of a site that offers no newsletter, be the newsletter service embedded or real. */
export function refuseSignUps(siteOf: SiteResolver): RequestHandler {
  return (request, response, next) => {
    const { method, path } = request;
    if (method !== "POST" || path !== "/" || offersNewsletter(siteOf.call(request))) return next();
    const body = describeFailure({ kind: "unavailable", message: "the site offers no newsletter" });
    setAudience(response, "page");
    response.status(body.status).json(body);
  };
}
