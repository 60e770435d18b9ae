import schema from "../../schemas/env.schema.json" with { type: "json" };
import type { Env } from "../config/env.ts";
import { withoutSecrets } from "../config/redact.ts";
import type { Logger } from "../platform/logger.ts";
import type { Site } from "../sites/countries.ts";

interface ConfiguredContext {
  env: Env;
  logger: Logger;
  /** The sites, with the origins at which they are served. */
  countries: { sites: readonly Site[] };
}

/** Logs the configuration. */
export function logConfiguration({ env, countries: { sites }, logger }: ConfiguredContext): void {
  logger.info(describeConfiguration(env, sites), "configuration");
}

/** URLs whose path may contain a secret. */
const secretPaths = [
  "NEWSLETTER_WEBHOOK_URL",
  "PURGE_URL",
  "REPORT_URL",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
];

/**
 * Describes the configuration for the log. For a secret, it only says that it is set. URLs lose user, password and
 * query.
 * @returns the value of each variable, null if it has none; the names of the set variables; the sites' origins
 */
function describeConfiguration(env: Env, sites: readonly Site[]) {
  const { variables, demo, overview, defaultSite } = env;
  const values: Record<string, unknown> = {
    DEMO: demo ? "on" : "off",
    OVERVIEW: overview ? "on" : "off",
    DEFAULT_SITE: defaultSite,
    ...variables,
  };
  const settings = Object.entries(schema.properties).map(([name, property]) => {
    const value = values[name] ?? ("default" in property ? property.default : null);
    if (value !== null && "writeOnly" in property) return [name, "given"];
    return [name, typeof value === "string" ? withoutSecrets(value, secretPaths.includes(name)) : value];
  });
  const ofSites = Object.entries(variables)
    .filter(([name]) => !(name in schema.properties))
    .map(([name, value = ""]) => [name, isSecret(name) ? "given" : withoutSecrets(value)]);
  return {
    settings: Object.fromEntries([...settings, ...ofSites]),
    set: Object.keys(variables),
    sites: Object.fromEntries(sites.map(({ site, origin }) => [site, origin])),
  };
}

/** Whether a site's own variable is a secret. */
function isSecret(name: string): boolean {
  return Object.entries(schema.patternProperties).some(
    ([pattern, property]) => "writeOnly" in property && new RegExp(pattern).test(name),
  );
}
