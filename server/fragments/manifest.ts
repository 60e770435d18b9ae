import type { PodletManifest } from "../../schemas/types.ts";
import type { Assets } from "../assets.ts";
import type { Site } from "../sites/countries.ts";
import type { Fragment } from "./fragment.ts";

/**
 * Builds the manifest for Podium. The addresses of assets are absolute, whoever asks. Those of content and fallback are
 * relative to the manifest, as Podium's client appends even a path that starts with a slash to the manifest's folder
 * (@podium/utils, uriBuilder; test/edge/podium.test.ts).
 */
export function buildManifest({ name, assets: files }: Fragment, site: Site, assets: Assets): PodletManifest {
  const path = `../../../fragments/${name}/${site.site}`;
  return {
    name,
    version: assets.build,
    content: path,
    fallback: `${path}/fallback`,
    css: files.styles.map((style) => ({ value: assets.url(style, site.origin), type: "text/css", rel: "stylesheet" })),
    js: files.scripts.map((script) => ({ value: assets.url(script, site.origin), type: "module" })),
  };
}
