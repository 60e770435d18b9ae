import type { Site } from "../../server/sites/countries.ts";
import { sites } from "./test-app.ts";

/**
 * Returns one site for each variant of a rule. Behaviour that is the same under the same rule needn't be tried on every
 * site.
 * @param traitsOf - the properties of a site on which the rule depends
 */
export function onePerVariant(traitsOf: (site: Site) => unknown): Site[] {
  const variants = Map.groupBy(sites, (site) => JSON.stringify(traitsOf(site)));
  return [...variants.values()].flatMap(([first]) => first ?? []);
}
