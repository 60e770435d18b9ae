import { createHash } from "node:crypto";
import type { PodletManifest } from "../../schemas/types.ts";
import type { Assets } from "../platform/assets.ts";
import type { Site } from "../sites/countries.ts";
import type { Fragment } from "./fragment.ts";

/** The hash in a built file's name, and its `integrity` in JSON or HTML. */
const hashes = /-[A-Z0-9]{8}(?=\.[a-z])|"?integrity"?[:=]"[^"]*"/g;

/**
 * Builds the manifest by which Podium includes a fragment. The URLs of assets are absolute. Those of content and
 * fallback are relative, because Podium's client appends even a path with a leading slash to the manifest's folder
 * (@podium/utils, uriBuilder). The version changes with the manifest and the fallback. If the version of a content
 * isn't that of the manifest, Podium's client fetches the manifest again, and shows the fallback after four attempts
 * (@podium/client, resolver.content.js). So the version ignores the hashes of built files: two builds answer during a
 * roll-out, a content's own `Link` names its files, and those of an earlier build can still be loaded.
 */
export function buildManifest(
  { name, assets: names }: Fragment,
  site: Site,
  assets: Assets,
  fallback: Buffer,
): PodletManifest {
  const path = `../../../fragments/${name}/${site.site}`;
  const { styles, scripts } = assets.filesOf(names, site.origin);
  const crossorigin = "anonymous";
  const manifest: Omit<PodletManifest, "version"> = {
    name,
    content: path,
    fallback: `${path}/fallback`,
    css: styles.map(({ href: value, integrity }) => {
      return { value, type: "text/css", rel: "stylesheet", integrity, crossorigin };
    }),
    js: scripts.map(({ src: value, integrity, type }) => ({ value, type, integrity, crossorigin })),
  };
  const text = `${JSON.stringify(manifest)}${fallback}`.replaceAll(hashes, "");
  return { ...manifest, version: createHash("sha256").update(text).digest("hex").slice(0, 12) };
}
