import type { Site } from "../../sites/countries.ts";
import { builtInContent, type SiteContent } from "../../sites/site-content.ts";
import type { AppContext } from "../feature.ts";
import type { Content } from "./service.ts";
import { createContentUpstream } from "./upstream.ts";

/**
 * The content of the sites' footers: the built-in one, or that of the content service.
 * @param render - renders a content before it is used; throws what a component throws
 * @param purge - purges a `Surrogate-Key` from the edge; undefined without an edge to purge
 */
export function createContent(
  context: AppContext,
  render: (content: SiteContent) => string,
  purge?: (key: string) => Promise<void>,
): Content {
  const known = new WeakMap<Site, SiteContent>();
  const builtInOf = (site: Site) => {
    const content = known.get(site) ?? builtInContent(site, context.texts);
    known.set(site, content);
    return content;
  };
  const real = context.upstreams.content.of(context.siteOf.default);
  if (real) return createContentUpstream(context, real, { builtInOf, render, purge });
  return { contents: { current: builtInOf, previewed: async (site) => builtInOf(site) } };
}
