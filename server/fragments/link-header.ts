import type { Assets } from "../assets.ts";
import type { Site } from "../sites/countries.ts";
import type { Fragment } from "./fragment.ts";

/**
 * One value of which each reader takes its part: browsers the preloads, from their own origin; Podium what has an
 * `asset-type`, absolute, as it takes a path for one below the manifest's folder; Tailor what has a known `rel` first.
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
