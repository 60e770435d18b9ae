import schema from "../../schemas/env.schema.json" with { type: "json" };
import type { EnvVariables } from "../../schemas/types.ts";
import { StartError, throwFaults } from "../platform/errors.ts";
import { variableOf } from "../platform/faults.ts";
import { findShop } from "../platform/shop-folder.ts";
import { createValidator } from "../platform/validate.ts";
import { findSites } from "./country-files.ts";
import {
  findProviderFaults,
  type IdentityProvider,
  providerOf,
  providerVariables,
  staffProviderOf,
} from "./identity-providers.ts";
import { calledServices, realServices, type ServiceName } from "./real-services.ts";
import { findSecretFaults } from "./secrets.ts";
import { metricsExportOf, tracingOf } from "./telemetry.ts";

/** The URL of each real service; undefined if the embedded one answers, or if built-in content is shown. */
type UpstreamUrls = { [Name in ServiceName]?: string | undefined };

/** The configuration of the service. schemas/env.schema.json describes its variables. */
export type Env = ReturnType<typeof buildEnv>;

export type EdgePurging = NonNullable<Env["edgePurging"]>;
export type WebhookSecrets = NonNullable<Env["newsletterReports"]>;

export type CheckedEnv = ReturnType<typeof checkEnv>;

const validate = createValidator<EnvVariables>("env");
const originPrefix = "SITE_ORIGIN_";
/** The value of a site's variable that keeps the embedded service although other sites have a real one. */
const embedded = "embedded";
/**
 * Reads the environment.
 * @param variables - as in `process.env`; a blank variable counts as not set
 * @throws StartError naming every wrong variable
 */
export function readEnv(variables: NodeJS.ProcessEnv): Env {
  const { env, faults } = checkEnv(variables);
  throwFaults(faults);
  return env;
}

/**
 * Reads the environment as if wrong variables weren't set, so that a start can report their faults along with all
 * others.
 * @param variables - as in `process.env`; a blank variable counts as not set
 * @returns the environment, and each fault as `environment: <variable> <what is wrong>`
 */
export function checkEnv(variables: NodeJS.ProcessEnv) {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()));
  const sites = findSites(findShop(set.SHOP_DIR).countries);
  const checked = validate({ ...set });
  const ofSchema = checked.valid ? [] : checked.faults;
  // Without the shop's own folder, its sites are unknown.
  const isFound = !ofSchema.some((fault) => fault.startsWith("/SHOP_DIR "));
  const all = [
    ...ofSchema,
    ...(isFound ? findUnknownSites(set, sites) : []),
    ...findSecretFaults(set),
    ...findProviderFaults(set, sites),
  ];
  // The formats of secrets are also in the schema.
  const faults = [...new Set(all)].map((fault) => fault.replace(/^\//, "environment: "));
  const wrong = new Set(faults.map(variableOf));
  return { env: buildEnv(Object.fromEntries(Object.entries(set).filter(([name]) => !wrong.has(name)))), faults };
}

/** @param set - valid variables */
function buildEnv(set: NodeJS.ProcessEnv) {
  const result = validate({ ...set });
  if (!result.valid) throw new StartError(result.faults);
  const env = result.data;
  const shopFolder = findShop(env.SHOP_DIR);
  const sites = findSites(shopFolder.countries);
  const known = knownVariables(sites);
  const isKnown = ([name]: [string, unknown]) => known.includes(name);
  const production = env.NODE_ENV === "production";
  const demo = env.DEMO ? env.DEMO === "on" : !production;
  const overview = env.OVERVIEW ? env.OVERVIEW === "on" : demo;
  const upstreams: UpstreamUrls = Object.fromEntries(calledServices.map(({ name, variable }) => [name, env[variable]]));
  return {
    host: env.HOST,
    port: env.PORT,
    /** The hosts that are answered outside production, besides those of this machine and of the sites. */
    allowedHosts: entriesOf(env.ALLOWED_HOSTS),
    /** 0 switches the operators' listener off. */
    opsPort: env.OPS_PORT,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    /** Who runs the command; undefined stands for the system's user. */
    operator: env.OPERATOR,
    secretKey: env.SECRET_KEY,
    secretKeyFile: env.SECRET_KEY_FILE,
    shopFolder,
    /** Codes of the country sites. */
    sites,
    defaultSite: env.DEFAULT_SITE ?? (sites.includes("DE") ? "DE" : (sites[0] ?? "DE")),
    /**
     * The public URL of the assets folder, without a trailing slash; undefined serves assets from the page's origin.
     */
    assetBaseUrl: env.ASSET_BASE_URL && assetBase(env.ASSET_BASE_URL),
    /** If undefined, emails are written to files. */
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    newsletterWebhook: webhookOf(env),
    /** How reports of the newsletter's sender are signed; undefined accepts no reports. */
    newsletterReports: secretsOf(env.NEWSLETTER_EVENTS_SECRET, env.NEWSLETTER_EVENTS_SECRET_FILE),
    edgeTagHeaders: entriesOf(env.EDGE_TAG_HEADERS),
    edgePurging: purgingOf(env),
    renderCache: env.RENDER_CACHE === "on",
    production,
    trustProxy: entriesOf(env.TRUST_PROXY),
    /** Where browsers send reports of the pages' policies. */
    reportUrl: env.REPORT_URL,
    hsts: env.HSTS === "off" ? undefined : env.HSTS,
    originalAddressFrom: entriesOf(env.ORIGINAL_ADDRESS_FROM),
    /** The common services, for sites without services of their own. */
    upstreams,
    /** The different services of single sites. */
    siteUpstreams: new Map(sites.map((site) => [site, upstreamsOfSite(set, site)])),
    /** The OpenID providers of the sites whose customers sign in there. */
    identityProviders: new Map(sites.flatMap((site) => customersProvider(set, site))),
    /** The OpenID provider at which staff sign in; undefined if they have accounts here, or a real preview service. */
    staffProvider: staffProviderOf(set),
    demo,
    overview,
    /** Whether emails are shown to everybody, which must never happen with real shoppers. */
    outbox: overview && !production,
    demoPassword: env.DEMO_PASSWORD,
    logLevel: env.LOG_LEVEL,
    serviceName: env.OTEL_SERVICE_NAME,
    tracing: tracingOf(env),
    metricsExport: metricsExportOf(env),
    /** The configured public origins of sites. */
    siteOrigins: new Map(sites.flatMap((site) => originOf(set, site))),
    /** The variables of the service that are set. */
    variables: Object.fromEntries(Object.entries(set).filter(isKnown)),
    /** The names of all other variables that are set. */
    unknownVariables: Object.keys(set).filter((name) => !known.includes(name)),
  };
}

/** Returns the names of all variables that the service reads, for its sites. */
export function knownVariables(sites: readonly string[]): string[] {
  const bySite = [...realServices.flatMap(({ variable, bySite }) => (bySite ? [variable] : [])), ...providerVariables];
  const ofSites = [originPrefix, ...bySite.map((variable) => `${variable}_`)];
  return [...Object.keys(schema.properties), ...ofSites.flatMap((prefix) => sites.map((site) => prefix + site))];
}

/** Returns the address of each real service of a site. */
export function upstreamsOf(env: Pick<Env, "upstreams" | "siteUpstreams">, site: string): UpstreamUrls {
  return { ...env.upstreams, ...env.siteUpstreams.get(site) };
}

/**
 * Whether at least one site has the embedded service. A login or a preview with an identity provider doesn't count,
 * because its people have no accounts here.
 */
export function usesEmbedded(
  env: Pick<Env, "sites" | "upstreams" | "siteUpstreams" | "identityProviders" | "staffProvider">,
  name: ServiceName,
): boolean {
  const isProvided = (site: string) =>
    (name === "login" && env.identityProviders.has(site)) || (name === "preview" && env.staffProvider !== undefined);
  return env.sites.some((site) => upstreamsOf(env, site)[name] === undefined && !isProvided(site));
}

function entriesOf(list: string | undefined): string[] {
  return list?.split(",").map((entry) => entry.trim()) ?? [];
}

/** Accepts the URL of the assets folder or of its parent. */
function assetBase(url: string): string {
  const base = url.replace(/\/+$/, "");
  return base.endsWith("/assets") ? base : `${base}/assets`;
}

function findUnknownSites({ DEFAULT_SITE, ...variables }: NodeJS.ProcessEnv, sites: readonly string[]): string[] {
  const known = knownVariables(sites);
  const unknown = Object.keys(variables).filter((name) => !known.includes(name));
  return [
    ...(DEFAULT_SITE && !sites.includes(DEFAULT_SITE) ? [`/DEFAULT_SITE must be one of ${sites.join(", ")}`] : []),
    ...unknown.flatMap((name) => {
      const begins = (prefix: string) => name.startsWith(prefix);
      const service = calledServices.find(({ variable }) => begins(`${variable}_`));
      if (service && !service.bySite) return [`/${name} must not be set: ${service.variable} is for all sites`];
      const isOfSite = service || [originPrefix, ...providerVariables.map((one) => `${one}_`)].some(begins);
      return isOfSite ? [`/${name} names no country`] : [];
    }),
  ];
}

function webhookOf(env: EnvVariables) {
  const { NEWSLETTER_WEBHOOK_URL: url } = env;
  const secrets = secretsOf(env.NEWSLETTER_WEBHOOK_SECRET, env.NEWSLETTER_WEBHOOK_SECRET_FILE);
  return url === undefined || !secrets ? undefined : { url, ...secrets };
}

function purgingOf(env: EnvVariables) {
  const { PURGE_URL: url, PURGE_FORM: form } = env;
  const token = secretsOf(env.PURGE_TOKEN, env.PURGE_TOKEN_FILE);
  if (url === undefined || (form !== "varnish" && !token)) return undefined;
  return { url, form, secret: undefined, secretFile: undefined, ...token, check: env.PURGE_CHECK === "on" };
}

function secretsOf(secret: string | undefined, secretFile: string | undefined) {
  return secret === undefined && secretFile === undefined ? undefined : { secret, secretFile };
}

/** Returns a site with its configured public origin, if there is one. */
function originOf(variables: NodeJS.ProcessEnv, site: string): [site: string, origin: string][] {
  const origin = variables[originPrefix + site];
  return origin ? [[site, origin]] : [];
}

/** Returns a site with the provider of its customers, unless it keeps the embedded login. */
function customersProvider(set: NodeJS.ProcessEnv, site: string): [site: string, provider: IdentityProvider][] {
  const provider = set[`UPSTREAM_LOGIN_URL_${site}`] === embedded ? undefined : providerOf(set, "OIDC", site);
  return provider ? [[site, provider]] : [];
}

/** Returns the services that a site has instead of the common ones. */
function upstreamsOfSite(variables: NodeJS.ProcessEnv, site: string): UpstreamUrls {
  const urls = realServices.flatMap(({ name, variable, bySite }) => {
    const value = bySite ? variables[`${variable}_${site}`] : undefined;
    return value ? [[name, value === embedded ? undefined : value]] : [];
  });
  return Object.fromEntries(urls);
}
