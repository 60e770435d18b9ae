import { type Env, upstreamsOf } from "./env.ts";
import type { ServiceName } from "./real-services.ts";

/**
 * Finds sites where a service is embedded, but must be real because another one is.
 * @returns the variables of the embedded services, each once, with those of the others
 */
export function findHalfPairs(env: Env, embedded: ServiceName, others: readonly ServiceName[]) {
  const variableFor = (name: ServiceName) => `UPSTREAM_${name.toUpperCase()}_URL`;
  const halves = env.sites.flatMap((site) => {
    const urls = upstreamsOf(env, site);
    const real = urls[embedded] === undefined ? others.filter((name) => urls[name] !== undefined) : [];
    const own = env.siteUpstreams.get(site) ?? {};
    return real.map((name) => ({
      variable: embedded in own || name in own ? `${variableFor(embedded)}_${site}` : variableFor(embedded),
      other: name in own ? `${variableFor(name)}_${site}` : variableFor(name),
    }));
  });
  return [...Map.groupBy(halves, ({ variable }) => variable)].map(([variable, pairs]) => ({
    variable,
    beside: [...new Set(pairs.map(({ other }) => other))].join(" and "),
  }));
}
