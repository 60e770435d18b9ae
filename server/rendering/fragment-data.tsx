import { renderToStaticMarkup } from "react-dom/server";
import { AssetTags } from "../../client/assets/AssetTags.tsx";
import type { FragmentData } from "../../schemas/types.ts";
import type { Brand } from "../brand/brand.ts";
import { edgeRoutes } from "../http/edge-routes.ts";
import type { Assets } from "../platform/assets.ts";
import type { Site } from "../sites/countries.ts";
import type { Fragment } from "./fragment.ts";
import type { CachedBody } from "./response-cache.ts";

/** Creates the function that turns a rendered fragment into data, for pages that are made in any language. */
export function createFragmentData({ assets, brand }: { assets: Assets; brand: Brand }) {
  const { build, origin } = assets;
  const ofAssets = [origin ?? "'self'"];
  const contentSecurityPolicy: FragmentData["contentSecurityPolicy"] = {
    "script-src": ofAssets,
    "style-src": ofAssets,
    "img-src": [...new Set(["'self'", ...ofAssets])],
    ...(brand.type.font && { "font-src": ofAssets }),
    "connect-src": ["'self'"],
    "form-action": ["'self'"],
  };
  return (fragment: Fragment, site: Site, { body, state }: Pick<CachedBody, "body" | "state">): FragmentData => {
    const all = assets.filesOf(fragment.assets);
    const text = String(body);
    const tags = renderToStaticMarkup(<AssetTags {...all} />);
    // With `assets=none`, the page loads the files itself.
    const [files, head] = text.includes(tags) ? [all, tags] : [{ styles: [], scripts: [] }, ""];
    const html = text.replace(head, "");
    const { name } = fragment;
    return {
      ...{ fragment: name, site: site.site, locale: site.locale, build, state, html, head },
      ...{ ...files, contentSecurityPolicy, routes: edgeRoutes },
    };
  };
}
