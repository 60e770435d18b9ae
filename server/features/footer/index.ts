import { Router } from "express";
import { day, type Milliseconds } from "../../../client/rules/time.ts";
import { refuseCrossSite } from "../../http/csrf.ts";
import { formBody } from "../../http/request-input.ts";
import { RequestError } from "../../platform/errors.ts";
import type { Job } from "../../platform/lifecycle.ts";
import { runJob } from "../../platform/request-context.ts";
import type { Fragment } from "../../rendering/fragment.ts";
import { findEnded } from "../../sites/footer-versions.ts";
import type { SiteContent } from "../../sites/site-content.ts";
import type { ActiveGroups } from "../abtests/service.ts";
import type { Contents } from "../content/service.ts";
import type { AppContext, Feature } from "../feature.ts";
import type { NewsletterIslands } from "../newsletter/service.ts";
import type { PromotionService } from "../promotion/service.ts";
import { countriesRoute } from "./countries-page.tsx";
import { createFooterFragment } from "./footer-fragment.tsx";
import { createPromotions, type Promotions } from "./promotions.ts";
import { renderWholeFooter } from "./render-whole-footer.tsx";

/**
 * The footer of every page, with its promotion. Unexpected changes of the promotion are purged from the edge.
 * @param purge - purges a `Surrogate-Key` from the edge; undefined without an edge to purge
 */
export function createFooter(
  context: AppContext,
  service: PromotionService,
  newsletter: NewsletterIslands,
  contents: Contents,
  groups: ActiveGroups,
  purge?: (key: string) => Promise<void>,
): Feature & { fragment: Fragment; promotions: Promotions } {
  const { countries, logger } = context;
  const promotions = createPromotions(countries.sites, service, logger, purge);
  const fragment = createFooterFragment(context, newsletter, contents, promotions, groups);
  return {
    fragment,
    fragments: [fragment],
    promotions,
    pages: (pages) => [viewRoute(), countriesRoute(context, contents, pages)],
    jobs: [promotions, createReminder(context)],
  };
}

/**
 * Creates the function that renders a content on trial before it is used: everything that its footers may show. It
 * throws what a component throws.
 */
export function createFooterTrial(context: AppContext, newsletter: NewsletterIslands) {
  return (content: SiteContent): string => renderWholeFooter(context, newsletter, content);
}

export { renderBuiltInFooter } from "./render-built-in-footer.tsx";

/** Logs the entries of footers that have ended, at the start and once a day, until their authors remove them. */
function createReminder({ countries, logger }: Pick<AppContext, "countries" | "logger">): Job {
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      remind();
      timer = setInterval(() => runJob(remind), day).unref();
    },
    async close() {
      clearInterval(timer);
    },
  };

  function remind() {
    const entries = findEnded(countries.sites, Date.now());
    if (entries.length > 0) logger.warn({ entries }, "entries of countries have ended: remove them");
  }
}

/** The value of the platform cookie for each view. */
const platforms = new Map([
  ["mobile", "smartphone"],
  ["desktop", "desktop"],
]);
/** How long the browser stores the choice. */
const choiceAge: Milliseconds = 30 * day;

/** The route of the view changer: stores the visitor's choice in the platform cookie, and redirects back. */
function viewRoute(): Router {
  return Router().post("/view", refuseCrossSite(), formBody(), (request, response) => {
    const platform = platforms.get(request.body?.view);
    if (!platform) throw new RequestError("badRequest", "view must be mobile or desktop");
    response.cookie("platform", platform, { maxAge: choiceAge, sameSite: "lax", secure: request.secure });
    response.redirect(303, pathBack(request.get("Referer"), request.host));
  });
}

/**
 * Returns the path of the referring page if it is of the same host, otherwise that of the home page. This prevents an
 * open redirect.
 */
function pathBack(referrer: string | undefined, host: string | undefined): string {
  const url = referrer ? URL.parse(referrer) : null;
  if (!url || url.host !== host) return "/";
  return `/${url.pathname.replace(/^[/\\]+/, "")}${url.search}`;
}
