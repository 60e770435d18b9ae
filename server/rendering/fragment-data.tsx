import { renderToStaticMarkup } from "react-dom/server";
import { AssetTags } from "../../client/assets/AssetTags.tsx";
import type { FragmentData } from "../../schemas/types.ts";
import type { Brand } from "../brand/brand.ts";
import { edgeRoutes } from "../http/edge-routes.ts";
import type { Assets } from "../platform/assets.ts";
import type { Site } from "../sites/countries.ts";
import type { Fragment } from "./fragment.ts";
import type { CachedBody } from "./response-cache.ts";

interface Parts {
  assets: Assets;
  brand: Brand;
}

/** What every page with a fragment needs: sources by directive of its policy, and paths that must reach this service. */
export function pageNeeds({ assets, brand }: Parts): Pick<FragmentData, "contentSecurityPolicy" | "routes"> {
  const ofAssets = [assets.origin ?? "'self'"];
  const contentSecurityPolicy = {
    "script-src": ofAssets,
    "style-src": ofAssets,
    "img-src": [...new Set(["'self'", ...ofAssets])],
    ...(brand.type.font && { "font-src": ofAssets }),
    "connect-src": ["'self'"],
    "form-action": ["'self'"],
  };
  return { contentSecurityPolicy, routes: edgeRoutes };
}

/** Creates the function that turns a rendered fragment into data, for pages that are made in any language. */
export function createFragmentData(parts: Parts) {
  const { assets } = parts;
  const needs = pageNeeds(parts);
  return (fragment: Fragment, site: Site, { body, state }: Pick<CachedBody, "body" | "state">): FragmentData => {
    const all = assets.filesOf(fragment.assets);
    const text = String(body);
    const tags = renderToStaticMarkup(<AssetTags {...all} />);
    // With `assets=none`, the page loads the files itself.
    const [files, head] = text.includes(tags) ? [all, tags] : [{ styles: [], scripts: [] }, ""];
    const html = text.replace(head, "");
    const { name } = fragment;
    return {
      ...{ fragment: name, site: site.site, locale: site.locale, build: assets.build, state, html, head },
      ...files,
      ...needs,
    };
  };
}
