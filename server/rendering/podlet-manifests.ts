import { createHash } from "node:crypto";
import type { Moment } from "../../client/rules/time.ts";
import type { PodletManifest } from "../../schemas/types.ts";
import type { Assets } from "../platform/assets.ts";
import type { Site } from "../sites/countries.ts";
import type { Fragment } from "./fragment.ts";
import type { FragmentRenderer } from "./fragment-renderer.ts";

/** The hash in a built file's name, and its `integrity` as JSON or HTML has it. */
const hashes = /-[A-Z0-9]{8}(?=\.[a-z])|"?integrity"?[:=]"[^"]*"/g;

/** Creates the manifests by which Podium includes fragments. */
export function createPodletManifests(renderer: FragmentRenderer, assets: Assets) {
  const manifests = new WeakMap<Buffer, PodletManifest>();
  return { manifestOf };

  /** Returns the current manifest of a fragment, and when the next one replaces it. */
  async function manifestOf(fragment: Fragment, site: Site): Promise<{ manifest: PodletManifest; until: Moment }> {
    // The start has logged a fallback that can't be rendered, on which neither manifest nor content depends.
    const none = () => ({ body: Buffer.alloc(0), until: Infinity });
    const { body, until } = await renderer.renderFallback(fragment, site).catch(none);
    const manifest = manifests.get(body) ?? withVersion(buildManifest(fragment, site, assets), body);
    manifests.set(body, manifest);
    return { manifest, until };
  }
}

/**
 * Adds the version, which changes with the manifest and the fallback. Where the version of a content isn't that of the
 * manifest, Podium's client fetches the manifest again, and shows the fallback after four attempts
 * (@podium/client, resolver.content.js). So the hashes of built files don't count: two builds answer during a roll-out, a
 * content's own `Link` names its files, and those of an earlier build can still be loaded.
 */
function withVersion(manifest: Omit<PodletManifest, "version">, fallback: Buffer): PodletManifest {
  const text = `${JSON.stringify(manifest)}${fallback}`.replaceAll(hashes, "");
  return { ...manifest, version: createHash("sha256").update(text).digest("hex").slice(0, 12) };
}

/**
 * Builds a manifest. Its addresses of assets are absolute. Those of content and fallback are relative: Podium's client
 * appends even a path that starts with a slash to the manifest's folder (@podium/utils, uriBuilder).
 */
function buildManifest({ name, assets: names }: Fragment, site: Site, assets: Assets): Omit<PodletManifest, "version"> {
  const path = `../../../fragments/${name}/${site.site}`;
  const { styles, scripts } = assets.filesOf(names, site.origin);
  const crossorigin = "anonymous";
  return {
    name,
    content: path,
    fallback: `${path}/fallback`,
    css: styles.map(({ href: value, integrity }) => {
      return { value, type: "text/css", rel: "stylesheet", integrity, crossorigin };
    }),
    js: scripts.map(({ src: value, integrity, type }) => ({ value, type, integrity, crossorigin })),
  };
}
