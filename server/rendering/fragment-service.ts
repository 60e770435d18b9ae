import type { IncomingMessage } from "node:http";
import { type Request, type Response, Router } from "express";
import { createElement } from "react";
import { type AssetFiles, AssetTags } from "../../client/assets/AssetTags.tsx";
import type { Milliseconds, Moment } from "../../client/rules/time.ts";
import type { HeadParameters, PodletManifest } from "../../schemas/types.ts";
import { allowMethodsOf } from "../http/allow-methods.ts";
import { setCachePolicy } from "../http/cache-control.ts";
import { errorHandler, type SendFailure } from "../http/error-handler.ts";
import { strongEtag } from "../http/etag.ts";
import type { Handling } from "../http/load-shedding.ts";
import { whileConnected } from "../http/while-connected.ts";
import type { AssetNames, Assets } from "../platform/assets.ts";
import { RequestError } from "../platform/errors.ts";
import type { Site } from "../sites/countries.ts";
import type { AbGroup } from "./ab-group.ts";
import { defineFragment, type Fragment, type FragmentVariant, staticData } from "./fragment.ts";
import { createFragmentRenderer } from "./fragment-renderer.ts";
import { tagsOf } from "./fragment-tags.ts";
import { buildManifest } from "./podlet-manifest.ts";
import type { RenderingContext } from "./rendering-context.ts";
import { createReplay } from "./replay.ts";
import { type CachedBody, cacheStatus, createResponseCache, type Form, serverTiming } from "./response-cache.ts";

/**
 * An unknown name that may be logged. It must look like a fragment's name, so that it can't be an address or a token.
 */
const loggedName = /^[a-z][a-z-]{0,30}$/;

/** The path of a manifest or a fallback. */
const podletPath = /^\/fragments\/([\w-]+)(?:\/(\w+))?\/(?:fallback|manifest\.json)(?:\?|$)/;

/** Serves the fragments of all features, their manifests and their fallbacks. */
export function createFragmentService(
  context: RenderingContext,
  features: readonly { fragments?: readonly Fragment[] }[],
) {
  const { assets, countries, edgeTags, logger, metrics, previewOf, siteOf } = context;
  const own = features.flatMap((feature) => feature.fragments ?? []);
  const head = createHeadFragment(assets, own);
  const fragments: readonly Fragment[] = [...own, head];
  const byName = new Map(fragments.map((fragment) => [fragment.name, fragment]));
  const responseCache = createResponseCache(context);
  const replay = createReplay(context, responseCache);
  const renderer = createFragmentRenderer(responseCache, logger);
  const manifests = new WeakMap<Buffer, PodletManifest>();

  const router = Router();
  router.get("/fragments/:name{/:site}/manifest.json", async (request, response) => {
    const fragment = findFragment(request, response);
    const site = siteOf.podlet(request);
    const { manifest, until } = await setFragmentHeaders(response, fragment, site);
    setCachePolicy(response, "public", until);
    const body = JSON.stringify(manifest);
    response.set("ETag", strongEtag(body)).type("json").send(body);
  });

  router.get("/fragments/:name{/:site}/fallback", async (request, response) => {
    const fragment = findFragment(request, response);
    const site = siteOf.podlet(request);
    const { body, until } = await renderer.renderFallback(fragment, site);
    await setFragmentHeaders(response, fragment, site);
    setCachePolicy(response, "public", until);
    response.set("ETag", strongEtag(body)).type("html").send(body);
  });

  router.get("/fragments/:name/:site.json", (request, response) => sendFragment(request, response, "json"));
  router.get("/fragments/:name{/:site}", (request, response) => sendFragment(request, response, "html"));

  router.use(allowMethodsOf(router));
  router.use("/fragments", () => {
    throw new RequestError("notFound", "no such fragment");
  });
  router.use("/fragments", errorHandler(logger, sendEmpty));
  return {
    /** Every fragment that composers can ask for. */
    fragments,
    /** The fragment for the head of pages, which loads the files of all others. */
    head,
    etagOf,
    prepareFallbacks: (site: Site) => renderer.prepareFallbacks(fragments, site),
    renderer,
    classify,
    replay: replay.render,
    routes: router,
  };

  /**
   * Finds how a request is handled if its response needs no render: it is cached, or is the manifest or fallback of a
   * known fragment.
   * @returns undefined for all other requests
   */
  function classify(request: IncomingMessage): Handling | undefined {
    const { method, url = "" } = request;
    if (method !== "GET" && method !== "HEAD") return undefined;
    const handling = replay.classify(request);
    if (handling) return handling;
    const [, name, site] = podletPath.exec(url) ?? [];
    const isPodlet =
      name !== undefined && byName.has(name) && (site === undefined || countries.get(site) !== undefined);
    return isPodlet ? { load: "cached" } : undefined;
  }

  /** Renders the requested fragment, and sends it in a form. */
  async function sendFragment(request: Request, response: Response, form: Form) {
    const fragment = findFragment(request, response);
    const site = siteOf.fragment(request);
    if (!site) throw new RequestError("badRequest", "site is missing");
    const variant = await fragment.prepare(request.query, site, request, previewOf);
    const startedAt = performance.now();
    const rendered = await renderer.render(variant, whileConnected(response));
    const duration = performance.now() - startedAt;
    const { state, cache } = rendered;
    metrics.fragments.inc({ fragment: fragment.name, site: site.site, state, cache });
    Object.assign(response.locals, { site: site.site, cache, fragmentState: state });
    await setFragmentHeaders(response, fragment, site, variant.asked?.group);
    setRenderHeaders(response, variant, rendered, duration);
    if (variant.isPersonal) for (const name of edgeTags.names) response.removeHeader(name);
    response.type(form).send(responseCache.convert(variant, form, rendered));
    replay.store(request, response, variant, form);
  }

  /** Returns the `ETag` that a fragment without parameters has now, if it can be rendered. */
  async function etagOf(name: string, site: Site): Promise<string | undefined> {
    const variant = await byName.get(name)?.prepare({}, site, { cookies: {} }, previewOf);
    return variant && (await renderer.render(variant)).etag;
  }

  /**
   * Sets the headers of every response for a fragment: content, fallback and manifest.
   * @param group - the group of an A/B test that the request names
   * @returns the manifest
   */
  async function setFragmentHeaders(response: Response, fragment: Fragment, site: Site, group?: AbGroup) {
    const current = await manifestOf(fragment, site);
    setCachePolicy(response, "public");
    response.set({
      ...edgeTags.headersOf(tagsOf(fragment, site, assets.build, group)),
      "podlet-version": current.manifest.version,
      "X-Robots-Tag": "noindex",
      Link: linkHeader(fragment, site, assets),
    });
    return current;
  }

  /** Returns the current manifest of a fragment, and when the next one replaces it. */
  async function manifestOf(fragment: Fragment, site: Site): Promise<{ manifest: PodletManifest; until: Moment }> {
    // A fallback that can't be rendered was logged at the start. Manifest and content don't depend on it.
    const none = () => ({ body: Buffer.alloc(0), until: Infinity });
    const { body, until } = await renderer.renderFallback(fragment, site).catch(none);
    const manifest = manifests.get(body) ?? buildManifest(fragment, site, assets, body);
    manifests.set(body, manifest);
    return { manifest, until };
  }

  /** Finds a fragment by its name, and sets the name for the log. */
  function findFragment({ params }: Request, response: Response): Fragment {
    const name = String(params.name);
    const fragment = byName.get(name);
    response.locals.fragment = fragment || loggedName.test(name) ? name : "unknown";
    if (!fragment) throw new RequestError("notFound", "no such fragment");
    return fragment;
  }
}

/**
 * Creates the fragment with the tags that all given fragments need, for host pages that load files in their own head.
 */
function createHeadFragment(assets: Assets, fragments: readonly Fragment[]): Fragment {
  const files: AssetNames = {
    styles: [...new Set(fragments.flatMap((fragment) => fragment.assets.styles))],
    scripts: [...new Set(fragments.flatMap((fragment) => fragment.assets.scripts))],
  };
  return defineFragment<HeadParameters, AssetFiles>({
    name: "head",
    assets: files,
    data: staticData,
    props: () => assets.filesOf(files),
    render: (props) => createElement(AssetTags, props),
    fallbackParameters: {},
  });
}

/**
 * Builds the Link header of a fragment. Browsers reuse the preloads, which are paths on their own origin, for requests
 * with the same integrity. Podium takes links with `asset-type`. They must be absolute, because it would resolve a path
 * against the manifest's folder, and must have no quotes. Tailor takes links that begin with a `rel` that it knows.
 */
function linkHeader({ assets: names }: Fragment, { origin }: Site, assets: Assets): string {
  const own = assets.filesOf(names);
  const absolute = assets.filesOf(names, origin);
  const preload = (integrity: string) => `integrity="${integrity}"${assets.origin ? "; crossorigin=anonymous" : ""}`;
  const composed = (integrity: string) => `integrity=${integrity}; crossorigin=anonymous`;
  return [
    ...own.styles.map(({ href, integrity }) => `<${href}>; rel=preload; as=style; ${preload(integrity)}`),
    ...own.scripts.map(({ src, integrity }) => `<${src}>; rel=modulepreload; ${preload(integrity)}`),
    ...absolute.styles.map(
      ({ href, integrity }) => `<${href}>; rel=stylesheet; type=text/css; asset-type=style; ${composed(integrity)}`,
    ),
    ...absolute.scripts.map(({ src, integrity }) => `<${src}>; type=module; asset-type=script; ${composed(integrity)}`),
  ].join(", ");
}

/** Sets the headers of a rendered response. If a cookie has changed it, it is private to this visitor. */
function setRenderHeaders(response: Response, variant: FragmentVariant, rendered: CachedBody, duration: Milliseconds) {
  const { etag, state, cache } = rendered;
  response.set({
    ...(etag && { ETag: etag }),
    "X-Fragment-State": state,
    "Cache-Status": cacheStatus(rendered),
    "Server-Timing": serverTiming(cache, duration),
    ...(variant.asked?.isShown === false && { "X-Fragment-Variant": "none" }),
  });
  setCachePolicy(response, state === "fresh" ? "public" : "brief", variant.until);
  if (variant.isPersonal) {
    setCachePolicy(response, "private");
    response.removeHeader("ETag");
  }
}

/**
 * Sends errors without a body, because composers would put it into the page. A mistake of the caller is in a header.
 */
const sendEmpty: SendFailure = ({ status }, { message }, _request, response) => {
  if (message !== undefined) {
    response.set("X-Fragment-Error", message);
    response.locals.reason = message;
  }
  response.status(status).type("html").end();
};
