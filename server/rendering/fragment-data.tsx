import { renderToStaticMarkup } from "react-dom/server";
import { AssetTags } from "../../client/assets/AssetTags.tsx";
import type { FragmentData } from "../../schemas/types.ts";
import type { Brand } from "../brand/brand.ts";
import { edgeRoutes } from "../http/edge-routes.ts";
import type { Assets } from "../platform/assets.ts";
import type { KnownVariant } from "./fragment.ts";
import { tagsOf } from "./fragment-tags.ts";

/** How fresh a fragment is. */
export type FragmentState = FragmentData["state"];

interface Parts {
  assets: Assets;
  brand: Brand;
}

/**
 * The requirements of every page with a fragment: sources by directive of its policy, and paths that must reach this
 * service.
 */
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

/**
 * Creates the function that converts a rendered fragment to JSON, for pages in any language. A fresh body is converted
 * once, and its JSON is kept as long as the body.
 */
export function createFragmentData(parts: Parts) {
  const { assets } = parts;
  const needs = pageNeeds(parts);
  /** JSON by the body from which it was made. */
  const known = new WeakMap<Buffer, Buffer>();
  return (variant: KnownVariant, { body, state }: { body: Buffer; state: FragmentState }): Buffer => {
    // A group whose test isn't active has everybody's body, but its own tag.
    if (state !== "fresh" || variant.asked?.isShown === false) return convert(variant, body, state);
    const json = known.get(body) ?? convert(variant, body, state);
    known.set(body, json);
    return json;
  };

  function convert({ fragment, site, asked }: KnownVariant, body: Buffer, state: FragmentState): Buffer {
    const all = assets.filesOf(fragment.assets);
    const text = String(body);
    const tags = renderToStaticMarkup(<AssetTags {...all} />);
    // With `assets=none`, the page loads the files itself.
    const [files, head] = text.includes(tags) ? [all, tags] : [{ styles: [], scripts: [] }, ""];
    const html = text.replace(head, "");
    const { name } = fragment;
    const data: FragmentData = {
      fragment: name,
      site: site.site,
      locale: site.locale,
      build: assets.build,
      state,
      html,
      head,
      ...files,
      ...needs,
      tags: tagsOf(fragment, site, assets.build, asked?.group),
    };
    return Buffer.from(JSON.stringify(data));
  }
}
