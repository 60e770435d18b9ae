import type { PodletManifest } from "../../schemas/types.ts";
import type { Assets } from "../assets.ts";
import type { Site } from "../sites/countries.ts";
import type { Fragment } from "./fragment.ts";

/**
 * Builds Podium's manifest. Its assets are absolute and never depend on who asked. Its client appends even a path that
 * starts with a slash to the manifest's folder (@podium/utils, uriBuilder); from the root up, every resolver agrees.
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
