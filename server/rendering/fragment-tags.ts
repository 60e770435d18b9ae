import type { Site } from "../sites/countries.ts";
import type { Fragment } from "./fragment.ts";

/** Lists the tags by which an edge and the client purge every answer of a fragment on a site. */
export function tagsOf({ name }: Pick<Fragment, "name">, { site }: Pick<Site, "site">, build: string): string[] {
  return [`fragment-${name}`, `country-${site}`, `build-${build}`];
}
