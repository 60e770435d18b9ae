import type { Site } from "../../server/sites/countries.ts";
import { sites } from "./test-app.ts";

/**
 * One site for each variant of a rule: behaviour that is the same wherever the rule is needn't be tried on every site.
 * @param traitsOf - what of a site the rule depends on
 */
export function onePerVariant(traitsOf: (site: Site) => unknown): Site[] {
  const variants = Map.groupBy(sites, (site) => JSON.stringify(traitsOf(site)));
  return [...variants.values()].flatMap(([first]) => first ?? []);
}
