import { LRUCache } from "lru-cache";
import type { IslandMarkup } from "../../client/islands/Island.tsx";
import { NewsletterBlock } from "../../client/newsletter/NewsletterBlock.tsx";
import { renderIsland } from "../render/island.ts";
import type { Site } from "../sites/countries.ts";
import { buildNewsletterProps, type NewsletterPlace, type NewsletterSources } from "./newsletter-props.ts";

/**
 * Gives the sign-up block of a site as an island, rendered at the first call for a place and then kept.
 * @param fragment - the name with which the ids inside start, followed by the site's code
 */
export type NewsletterIslands = (site: Site, place: NewsletterPlace, fragment: string) => IslandMarkup;

/** How many blocks are kept: more than 200 sites have places for one. */
const maxKept = 1_000;

/** Creates the store of sign-up blocks. */
export function createNewsletterIslands(sources: NewsletterSources): NewsletterIslands {
  const kept = new LRUCache<string, IslandMarkup>({ max: maxKept });
  return (site, place, fragment) => {
    const prefix = `${fragment}-${site.site}`;
    const key = JSON.stringify([prefix, place]);
    const known = kept.get(key);
    if (known) return known;
    const island = renderIsland("newsletter", NewsletterBlock, buildNewsletterProps(sources, site, place), prefix);
    kept.set(key, island);
    return island;
  };
}
