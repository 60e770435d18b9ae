import { type ErrorRequestHandler, type Request, type Response, Router } from "express";
import type { Assets } from "../assets.ts";
import { ClientGoneError, failureOf, isTold, RequestError } from "../errors.ts";
import { allowMethodsOf } from "../http/allow-methods.ts";
import { type Overload, retryAfterShed } from "../http/overload.ts";
import { whileConnected } from "../http/while-connected.ts";
import { setAudience, setNextChange } from "../http/who-may-store.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { PreviewOf } from "../services/preview-of.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import { composerStatuses } from "./composer-answers.ts";
import type { Fallbacks } from "./fallbacks.ts";
import { askFragment, type Fragment, type FragmentVariant } from "./fragment.ts";
import { setFragmentHeaders, setRenderHeaders } from "./fragment-headers.ts";
import type { FragmentRenderer, RenderedFragment } from "./fragment-renderer.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import { buildManifest } from "./manifest.ts";

export interface FragmentRouteDeps {
  assets: Assets;
  fallbacks: Pick<Fallbacks, "current">;
  fragments: readonly Fragment[];
  keptAnswers: Pick<KeptAnswers, "remember">;
  logger: Logger;
  metrics: Metrics;
  overload: Pick<Overload, "sheds">;
  previewOf: PreviewOf;
  renderer: FragmentRenderer;
  siteOf: SiteResolver;
}

/** Answers the fragments, their manifests and their fallbacks. */
export function fragmentRoutes(deps: FragmentRouteDeps): Router {
  const { assets, fallbacks, keptAnswers, logger, metrics, overload, previewOf, renderer, siteOf } = deps;
  const byName = new Map(deps.fragments.map((fragment) => [fragment.name, fragment]));
  const router = Router();

  router.get("/fragments/:name{/:site}/manifest.json", (request, response) => {
    const fragment = findFragment(request, response);
    const site = siteOf.podlet(request);
    setFragmentHeaders(response, fragment, site, assets);
    response.json(buildManifest(fragment, site, assets));
  });

  router.get("/fragments/:name{/:site}/fallback", async (request, response) => {
    const fragment = findFragment(request, response);
    const site = siteOf.podlet(request);
    const { body, until } = await fallbacks.current(fragment, site);
    setFragmentHeaders(response, fragment, site, assets);
    setNextChange(response, until);
    response.type("html").send(body);
  });

  router.get("/fragments/:name{/:site}", async (request, response) => {
    const fragment = findFragment(request, response);
    const site = siteOf.fragment(request);
    if (!site) throw new RequestError("badRequest", "site is missing");
    const asked = askFragment(fragment, request.query);

    const variant = await asked.prepare(site, request, previewOf);
    // To render costs as much as a page does.
    if (!renderer.keeps(variant) && overload.sheds("page"))
      throw new RequestError("unavailable", "too much is asked at the moment", { retryAfter: retryAfterShed() });
    const rendered = await renderer.render(variant, whileConnected(response));
    report(response, variant, rendered);
    setFragmentHeaders(response, fragment, site, assets);
    setRenderHeaders(response, variant, rendered);
    response.type("html").send(rendered.body);
    keptAnswers.remember(request, response, variant);
  });

  router.use(allowMethodsOf(router));
  router.use("/fragments", () => {
    throw new RequestError("notFound", "no such fragment");
  });
  router.use("/fragments", answerEmpty(logger));
  return router;

  /** Finds a fragment by its name, which it notes for the log. */
  function findFragment({ params }: Request, response: Response): Fragment {
    const fragment = byName.get(String(params.name));
    // Anybody can make a name up: test/server/http/request-log.test.ts
    response.locals.fragment = fragment?.name ?? "unknown";
    if (!fragment) throw new RequestError("notFound", "no such fragment");
    return fragment;
  }

  /** Counts an answer, and notes for the log how it came about. */
  function report(response: Response, { fragment, site }: FragmentVariant, { state, cache }: RenderedFragment) {
    metrics.fragments.inc({ fragment: fragment.name, site: site.site, state, cache });
    Object.assign(response.locals, { site: site.site, cache, fragmentState: state });
  }
}

/**
 * Answers errors without a body, as composers would put it into the page. A caller's mistake is named in the header
 * X-Fragment-Error, and in the log.
 */
function answerEmpty(logger: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent || error instanceof ClientGoneError) return next(error);
    const { kind, message, retryAfter } = failureOf(error);
    const status = composerStatuses[kind];
    if (message !== undefined) {
      response.set("X-Fragment-Error", message);
      response.locals.reason = message;
    } else if (!isTold(error)) {
      logger.error({ err: error }, "the service could not answer the request");
    }
    if (retryAfter !== undefined) response.set("Retry-After", String(retryAfter));
    setAudience(response, "page");
    response.status(status).type("html").end();
  };
}
