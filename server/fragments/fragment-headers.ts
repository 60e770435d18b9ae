import type { Response } from "express";
import type { Assets } from "../assets.ts";
import { setAudience, setNextChange } from "../http/who-may-store.ts";
import type { Site } from "../sites/countries.ts";
import type { Fragment, FragmentVariant } from "./fragment.ts";
import type { RenderedFragment } from "./fragment-renderer.ts";

/** What Cache-Status says of a fresh answer: https://www.rfc-editor.org/rfc/rfc9211 */
const cacheStatus = { hit: "hit", miss: "fwd=miss; stored", collapsed: "fwd=miss; collapsed", bypass: "fwd=bypass" };

/** Sets the headers that every answer of a fragment has, be it content, fallback or manifest. */
export function setFragmentHeaders(response: Response, fragment: Fragment, site: Site, assets: Assets): void {
  setAudience(response, "public");
  response.set({
    "Surrogate-Key": `fragment-${fragment.name} country-${site.site} build-${assets.build}`,
    "podlet-version": assets.build,
    Link: linkHeader(fragment, site, assets),
  });
}

/** Sets the further headers of a rendered answer: how it came about, and who may store it. */
export function setRenderHeaders(response: Response, variant: FragmentVariant, rendered: RenderedFragment): void {
  const { etag, state, cache } = rendered;
  response.set({
    ...(etag && { ETag: etag }),
    "X-Fragment-State": state,
    "Cache-Status": `storefront; ${state === "fresh" ? cacheStatus[cache] : `fwd=miss; detail=${state}`}`,
  });
  setTiming(response, rendered);
  setNextChange(response, variant.until);
  if (state !== "fresh") setAudience(response, "publicBriefly");
  if (variant.isPersonal) setPersonHeaders(response);
  if (variant.isPreview) response.set("X-Robots-Tag", "noindex");
}

/** Says how long this answer has taken to come about. */
export function setTiming(response: Response, { cache, duration }: Pick<RenderedFragment, "cache" | "duration">): void {
  response.setHeader("Server-Timing", `render;dur=${duration.toFixed(1)}, cache;desc=${cache}`);
}

/**
 * Keeps an answer that a cookie has changed from everybody but this visitor
 * (test/server/services/preview-of.test.ts).
 */
function setPersonHeaders(response: Response) {
  setAudience(response, "person");
  response.removeHeader("ETag");
  response.removeHeader("Surrogate-Key");
}

/**
 * Builds the Link header of a fragment. Browsers take the preloads, whose paths are of their own origin. Podium takes
 * what has an `asset-type`, which must be absolute, as it would look for a path below the manifest's folder. Tailor
 * takes what begins with a `rel` that it knows (test/server/fragments/fragment-routes.test.ts).
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
