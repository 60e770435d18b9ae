import type { Site } from "../sites/countries.ts";
import { type AbGroup, variantTag } from "./ab-group.ts";
import type { Fragment } from "./fragment.ts";

/**
 * Lists the tags by which an edge and the client purge every answer of a fragment on a site.
 * @param group - the group of an A/B test that the request names
 */
export function tagsOf(
  { name }: Pick<Fragment, "name">,
  { site }: Pick<Site, "site">,
  build: string,
  group?: AbGroup,
): string[] {
  const tags = [`fragment-${name}`, `country-${site}`, `build-${build}`];
  return group ? [...tags, variantTag(group)] : tags;
}
