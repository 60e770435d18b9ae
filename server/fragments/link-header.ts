import type { Assets } from "../assets.ts";
import type { Site } from "../sites/countries.ts";
import type { Fragment } from "./fragment.ts";

/**
 * Builds the Link header of a fragment. Browsers take the preloads, whose paths are of their own origin. Podium takes
 * what has an `asset-type`, which must be absolute, as it would look for a path below the manifest's folder. Tailor
 * takes what begins with a `rel` that it knows.
 */
export function linkHeader({ assets: files }: Fragment, site: Site, assets: Assets): string {
  return [
    ...files.styles.map((name) => `<${assets.url(name)}>; rel=preload; as=style`),
    ...files.scripts.map((name) => `<${assets.url(name)}>; rel=modulepreload`),
    ...files.styles.map(
      (name) => `<${assets.url(name, site.origin)}>; rel=stylesheet; type=text/css; asset-type=style`,
    ),
    ...files.scripts.map((name) => `<${assets.url(name, site.origin)}>; type=module; asset-type=script`),
  ].join(", ");
}
