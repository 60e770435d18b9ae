import type { Response } from "express";
import type { Assets } from "../assets.ts";
import { setAudience } from "../http/who-may-store.ts";
import type { Site } from "../sites/countries.ts";
import type { Fragment, FragmentVariant } from "./fragment.ts";
import type { RenderedFragment } from "./fragment-renderer.ts";
import { linkHeader } from "./link-header.ts";

const cacheStatus = { hit: "hit", miss: "fwd=miss; stored", collapsed: "fwd=miss; collapsed", bypass: "fwd=bypass" };

/** Sets what caches and composers are told of everything that they get of a fragment. */
export function setFragmentHeaders(response: Response, fragment: Fragment, site: Site, assets: Assets): void {
  setAudience(response, "public");
  response.set({
    "Surrogate-Key": `fragment-${fragment.name} country-${site.site} build-${assets.build}`,
    "podlet-version": assets.build,
    Link: linkHeader(fragment, site, assets),
  });
}

/** Sets what is told of one answer beside that: how it came about, and who may store it. */
export function setRenderHeaders(response: Response, variant: FragmentVariant, rendered: RenderedFragment): void {
  const { etag, state, cache, duration } = rendered;
  response.set({
    ...(etag && { ETag: etag }),
    "X-Fragment-State": state,
    "Cache-Status": `storefront; ${state === "fresh" ? cacheStatus[cache] : `fwd=miss; detail=${state}`}`,
    "Server-Timing": `render;dur=${duration.toFixed(1)}, cache;desc=${cache}`,
  });
  if (state !== "fresh") setAudience(response, "publicBriefly");
  if (variant.isPersonal) setPersonHeaders(response);
  if (variant.isPreview) response.set("X-Robots-Tag", "noindex");
}

/** An answer that a cookie has changed is this visitor's alone. */
function setPersonHeaders(response: Response) {
  setAudience(response, "person");
  response.removeHeader("ETag");
  response.removeHeader("Surrogate-Key");
}
