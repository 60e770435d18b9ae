import type { RequestHandler, Router } from "express";
import { createElement } from "react";
import { AssetTags } from "../../client/assets/AssetTags.tsx";
import type { HeadParameters } from "../../schemas/types.ts";
import type { LoadShedding } from "../http/load-shedding.ts";
import type { AssetNames, Assets } from "../platform/assets.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { CountryRegistry, Site } from "../sites/countries.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import { createFallbacks, type Fallbacks } from "./fallbacks.ts";
import { defineFragment, type Fragment, staticData } from "./fragment.ts";
import { createFragmentRenderer, type FragmentRenderer } from "./fragment-renderer.ts";
import { fragmentRoutes } from "./fragment-routes.ts";
import type { renderStream } from "./render-element.ts";
import { createResponseCache } from "./response-cache.ts";
import type { PreviewOf } from "./visitor.ts";

interface FragmentContext {
  assets: Assets;
  countries: CountryRegistry;
  env: { renderCache: boolean; demo: boolean };
  logger: Logger;
  metrics: Metrics;
  loadShedding: LoadShedding;
  siteOf: SiteResolver;
}

interface FragmentService {
  /** Every fragment that composers can ask for. */
  fragments: readonly Fragment[];
  /** The fragment for the head of pages, which loads the files of all others. */
  head: Fragment;
  fallbacks: Fallbacks;
  /**
   * Renders the fallbacks of a site.
   * @throws what a component throws
   */
  prepareFallbacks(site: Site): Promise<void>;
  renderer: FragmentRenderer;
  /** Replays cached responses. */
  cache: RequestHandler;
  routes: Router;
}

/**
 * Serves the fragments of all features.
 * @param renderElement - replaces the React renderer, to try out its failures
 */
export function createFragmentService(
  context: FragmentContext,
  features: readonly { fragments?: readonly Fragment[] }[],
  previewOf: PreviewOf,
  renderElement: typeof renderStream | undefined,
): FragmentService {
  const { assets, env } = context;
  const own = features.flatMap((feature) => feature.fragments ?? []);
  const head = createHeadFragment(assets, own);
  const fragments = [...own, head];
  const fallbacks = createFallbacks();
  const options = { ...context, build: assets.build, cache: env.renderCache, renderElement };
  const responseCache = createResponseCache(options);
  const renderer = createFragmentRenderer({ ...context, fallbacks, responseCache });
  return {
    ...{ fragments, head, fallbacks, renderer },
    prepareFallbacks: (site) => fallbacks.prepare(fragments, [site]),
    cache: responseCache.replay,
    routes: fragmentRoutes({ ...context, fallbacks, fragments, previewOf, renderer, responseCache }),
  };
}

/** Creates the fragment of the tags that all given fragments need, for host pages that load files in their own head. */
function createHeadFragment(assets: Assets, fragments: readonly Fragment[]): Fragment {
  const files: AssetNames = {
    styles: [...new Set(fragments.flatMap((fragment) => fragment.assets.styles))],
    scripts: [...new Set(fragments.flatMap((fragment) => fragment.assets.scripts))],
  };
  return defineFragment<HeadParameters, AssetNames>({
    name: "head",
    assets: files,
    data: staticData,
    props: () => assets.urls(files),
    render: (props) => createElement(AssetTags, props),
    fallbackParameters: {},
  });
}
