import { pipeline } from "node:stream/promises";
import { type ErrorRequestHandler, type Request, type Response, Router } from "express";
import type { PodletManifest } from "../../schemas/types.ts";
import type { Assets } from "../assets.ts";
import { BadRequestError, ClientGoneError, NotFoundError, reasonOf, statusOf } from "../errors.ts";
import { whileConnected } from "../http/while-connected.ts";
import { setAudience } from "../http/who-may-store.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { PreviewOf } from "../services/preview-of.ts";
import type { Site } from "../sites/countries.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import type { Fragment } from "./fragment.ts";
import type { FragmentRenderer, RenderedFragment } from "./fragment-renderer.ts";

export interface FragmentRouteDeps {
  assets: Assets;
  fragments: readonly Fragment[];
  renderer: FragmentRenderer;
  logger: Logger;
  metrics: Metrics;
  previewOf: PreviewOf;
  siteOf: SiteResolver;
}

/** The fragments, with what composers need to know of them. */
export function fragmentRoutes(deps: FragmentRouteDeps): Router {
  const { assets, renderer, logger, metrics, previewOf, siteOf } = deps;
  const byName = new Map(deps.fragments.map((fragment) => [fragment.name, fragment]));
  const router = Router();

  router.get("/fragments/:name{/:site}/manifest.json", (request, response) => {
    const fragment = findFragment(request);
    const site = siteOf.page(request);
    setPublicHeaders(response, fragment, site);
    response.json(buildManifest(fragment, site, assets));
  });

  router.get("/fragments/:name{/:site}/fallback", (request, response) => {
    const fragment = findFragment(request);
    const site = siteOf.page(request);
    setPublicHeaders(response, fragment, site);
    response.type("html").send(renderer.fallback(fragment, site));
  });

  router.get("/fragments/:name{/:site}", async (request, response) => {
    const fragment = findFragment(request);
    const site = siteOf.fragment(request);
    if (!site) throw new BadRequestError("site is missing");
    const read = fragment.readParameters(request.query);
    if (!read.valid) throw new BadRequestError(read.faults.map((fault) => fault.replace(/^\//, "")).join("; "));

    const parameters = fragment.personalize(read.data, request.cookies);
    const preview = fragment.previewData && (await previewOf(request));
    const data = preview && (await fragment.previewData?.(site, preview));
    const signal = whileConnected(response);
    const rendered = await renderer.render(fragment, site, parameters, { signal, ...(data && { data }) });
    metrics.fragments.inc({ fragment: fragment.name, site: site.site, state: rendered.state, cache: rendered.cache });
    Object.assign(response.locals, { site: site.site, cache: rendered.cache, fragmentState: rendered.state });
    setPublicHeaders(response, fragment, site);
    setRenderHeaders(response, rendered);
    if (data || parameters !== read.data) setPrivateHeaders(response);
    if (data) response.set("X-Robots-Tag", "noindex");
    await send(request, response, rendered);
  });

  router.use("/fragments", () => {
    throw new NotFoundError("no such fragment");
  });
  router.use("/fragments", answerEmpty(logger));
  return router;

  function findFragment({ params }: Request): Fragment {
    const fragment = byName.get(String(params.name));
    if (!fragment) throw new NotFoundError("no such fragment");
    return fragment;
  }

  function setPublicHeaders(response: Response, fragment: Fragment, site: Site) {
    setAudience(response, "public");
    response.set({
      "Surrogate-Key": `fragment-${fragment.name} country-${site.site} build-${assets.build}`,
      "podlet-version": assets.build,
      Link: linkHeader(fragment, site, assets),
    });
  }
}

/** Composers put the body of an error into the page, so it has none; a caller's mistake is named in a header. */
function answerEmpty(logger: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent || error instanceof ClientGoneError) return next(error);
    const status = statusOf(error);
    if (status >= 500) logger.error({ err: error }, "request failed");
    else response.set("X-Fragment-Error", reasonOf(error));
    setAudience(response, "page");
    response.status(status).type("html").end();
  };
}

function setRenderHeaders(response: Response, { etag, state, cache, duration }: RenderedFragment) {
  const cacheStatus = { hit: "hit", miss: "fwd=miss; stored", collapsed: "fwd=miss; collapsed", bypass: "fwd=bypass" };
  response.set({
    ...(etag && { ETag: etag }),
    "X-Fragment-State": state,
    "Cache-Status": `storefront; ${state === "fresh" ? cacheStatus[cache] : `fwd=miss; detail=${state}`}`,
    "Server-Timing": `render;dur=${duration.toFixed(1)}, cache;desc=${cache}`,
  });
  if (state !== "fresh") setAudience(response, "publicBriefly");
}

/** An answer that a cookie has changed is this visitor's alone. */
function setPrivateHeaders(response: Response) {
  setAudience(response, "person");
  response.removeHeader("ETag");
  response.removeHeader("Surrogate-Key");
}

async function send(request: Request, response: Response, { body }: RenderedFragment) {
  response.type("html");
  if (Buffer.isBuffer(body)) return response.send(body);
  if (request.fresh) return response.status(304).end();
  if (request.method === "HEAD") return response.end();
  await pipeline(body, response);
}

/**
 * One value of which each reader takes its part: browsers the preloads, from their own origin; Podium what has an
 * `asset-type`, absolute, as it takes a path for one below the manifest's folder; Tailor what has a known `rel` first.
 */
function linkHeader({ assets: files }: Fragment, site: Site, assets: Assets): string {
  return [
    ...files.styles.map((name) => `<${assets.url(name)}>; rel=preload; as=style`),
    ...files.scripts.map((name) => `<${assets.url(name)}>; rel=modulepreload`),
    ...files.styles.map(
      (name) => `<${assets.url(name, site.origin)}>; rel=stylesheet; type=text/css; asset-type=style`,
    ),
    ...files.scripts.map((name) => `<${assets.url(name, site.origin)}>; type=module; asset-type=script`),
  ].join(", ");
}

/**
 * Podium's manifest. Its assets are absolute and never depend on who asked. Its client appends even a path that starts
 * with a slash to the manifest's folder (@podium/utils, uriBuilder); from the root up, every resolver agrees.
 */
function buildManifest(fragment: Fragment, site: Site, assets: Assets): PodletManifest {
  const path = `../../../fragments/${fragment.name}/${site.site}`;
  return {
    name: fragment.name,
    version: assets.build,
    content: path,
    fallback: `${path}/fallback`,
    css: fragment.assets.styles.map((name) => ({
      value: assets.url(name, site.origin),
      type: "text/css",
      rel: "stylesheet",
    })),
    js: fragment.assets.scripts.map((name) => ({ value: assets.url(name, site.origin), type: "module" })),
  };
}
