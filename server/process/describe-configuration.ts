import schema from "../../schemas/env.schema.json" with { type: "json" };
import type { Env } from "../config/env.ts";
import type { Site } from "../sites/countries.ts";

/** Addresses whose path may hold a secret. */
const secretPaths = ["NEWSLETTER_WEBHOOK_URL", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];

/**
 * Describes the configuration for the log. Secrets are only said to be given; addresses lose user, password and query.
 * @returns the value of each variable, null where it has none; the names of those that are set; the sites' origins
 */
export function describeConfiguration(env: Env, sites: readonly Site[]) {
  const { variables, demo, overview, defaultSite } = env;
  const values: Record<string, unknown> = {
    ...{ DEMO: demo ? "on" : "off", OVERVIEW: overview ? "on" : "off", DEFAULT_SITE: defaultSite },
    ...variables,
  };
  const settings = Object.entries(schema.properties).map(([name, property]) => {
    const value = values[name] ?? ("default" in property ? property.default : null);
    if (value !== null && "writeOnly" in property) return [name, "given"];
    return [name, typeof value === "string" ? withoutSecrets(value, secretPaths.includes(name)) : value];
  });
  return {
    settings: Object.fromEntries(settings),
    set: Object.keys(variables),
    sites: Object.fromEntries(sites.map(({ site, origin }) => [site, origin])),
  };
}

/** Removes user, password and query of an address; other values stay as they are. */
export function withoutSecrets(value: string, hasSecretPath = false): string {
  const url = URL.parse(value);
  if (!url?.host) return value;
  const { protocol, host, pathname } = url;
  return `${protocol}//${host}${hasSecretPath || pathname === "/" ? "" : pathname}`;
}
