import type { Moment } from "../../client/rules/time.ts";
import type { Site } from "../sites/countries.ts";
import type { Fallback, Fragment } from "./fragment.ts";
import { renderFragment } from "./render-element.ts";

/** Stores what replaces fragments that can't be rendered. */
export interface Fallbacks {
  /**
   * Returns the current fallback of a fragment, rendered once, and when the next one replaces it.
   * @throws what a component throws, which can't happen once the fallback is prepared
   */
  current(fragment: Fragment, site: Site): Promise<{ body: Buffer; until: Moment }>;
  /**
   * Renders every fallback, also those of later moments, so that none has to be rendered when it is needed.
   * @throws what a component throws
   */
  prepare(fragments: readonly Fragment[], sites: readonly Site[]): Promise<void>;
}

/** Creates an empty store of fallbacks. */
export function createFallbacks(): Fallbacks {
  const bodies = new Map<string, Buffer>();
  return {
    async current(fragment, site) {
      const at = Date.now();
      const all = fragment.fallbacks(site);
      const fallback = all.findLast(({ from }) => from <= at);
      const until = all.find(({ from }) => from > at)?.from ?? Infinity;
      return { body: fallback ? await bodyOf(fragment, site, fallback) : Buffer.alloc(0), until };
    },
    async prepare(fragments, sites) {
      for (const fragment of fragments) {
        for (const site of sites) {
          for (const fallback of fragment.fallbacks(site)) await bodyOf(fragment, site, fallback);
        }
      }
    },
  };

  async function bodyOf({ name }: Fragment, { site }: Site, { from, build }: Fallback): Promise<Buffer> {
    const key = `${name} ${site} ${from}`;
    const body = bodies.get(key) ?? (await renderFragment(build().element()));
    bodies.set(key, body);
    return body;
  }
}
