import { LRUCache } from "lru-cache";
import type { IslandMarkup } from "../../client/islands/Island.tsx";
import { NewsletterBlock } from "../../client/newsletter/NewsletterBlock.tsx";
import type { NewsletterPlace } from "../../client/newsletter/newsletter-props.ts";
import { renderIsland } from "../render/island.ts";
import type { Site } from "../sites/countries.ts";
import type { NewsletterContents, SharedContent } from "./newsletter-content.ts";

/**
 * Gives the sign-up block of a site as an island, rendered at the first call for a place and then kept.
 * @param fragment - the name with which the ids inside start, followed by the site's code
 */
export type NewsletterIslands = (site: Site, place: NewsletterPlace, fragment: string) => IslandMarkup;

/** How many blocks are kept: more than 200 sites have places for one. */
const maxKept = 1_000;

/** Creates the store of sign-up blocks. */
export function createNewsletterIslands(contents: NewsletterContents): NewsletterIslands {
  const kept = new LRUCache<string, IslandMarkup>({ max: maxKept });
  return (site, place, fragment) => {
    const prefix = `${fragment}-${site.site}`;
    const key = JSON.stringify([prefix, place]);
    const known = kept.get(key);
    if (known) return known;
    const island = renderNewsletterIsland(contents(site), place, prefix);
    kept.set(key, island);
    return island;
  };
}

/**
 * Renders a sign-up block. It fills in what is known of customers, and one that answers a visitor is in use already.
 * @param prefix - the beginning of every id inside
 */
export function renderNewsletterIsland(shared: SharedContent, place: NewsletterPlace, prefix: string): IslandMarkup {
  return renderIsland({
    name: "newsletter",
    component: NewsletterBlock,
    props: { ...place, ...shared.props },
    prefix,
    shared,
    actsFor: place.answer ? "everybody" : "customers",
  });
}
