import schema from "../schemas/env.schema.json" with { type: "json" };
import type { EnvVariables } from "../schemas/types.ts";
import { StartError } from "./errors.ts";
import { findMisspelled, type Misspelled } from "./find-misspelled.ts";
import { realServices, type UpstreamUrls } from "./services/real-services.ts";
import { findShop, type ShopFolder } from "./shop-folder.ts";
import { findSites } from "./sites/countries.ts";
import { createStringsValidator } from "./validate.ts";

/** Who is told of the newsletter's events, and the secret that signs them, or the file that has it. */
export interface NewsletterWebhook {
  url: string;
  secret: string | undefined;
  secretFile: string | undefined;
}

/** How traces are sent. Where to, and with which headers, OpenTelemetry's exporter reads itself. */
export interface Tracing {
  /** Address of the collector. */
  collector: string;
  protocol: EnvVariables["OTEL_EXPORTER_OTLP_PROTOCOL"];
  sampler: EnvVariables["OTEL_TRACES_SAMPLER"];
  /** Which part of the traces the samplers with a ratio record. */
  ratio: number;
}

export interface Env {
  host: string;
  port: number;
  /** Port of the listener for operators; 0 switches it off. */
  opsPort: number;
  dataDir: string;
  /** Address of a PostgreSQL database; undefined keeps the store as SQLite in the data folder. */
  databaseUrl: string | undefined;
  /** The keys that encrypt the store's keys, in Base64, the first of them for new ones. */
  keyEncryptionKey: string | undefined;
  /** A file with these keys; undefined, as the keys themselves, takes one in the data folder. */
  keyEncryptionKeyFile: string | undefined;
  /** Where countries, texts and pictures lie. */
  shopFolder: ShopFolder;
  /** Codes of the country sites there are. */
  sites: readonly string[];
  /** Code of the site of requests that name none. */
  defaultSite: string;
  /** Public address of the assets folder, without a trailing slash; undefined serves it from the page's origin. */
  assetBaseUrl: string | undefined;
  /** Address of the mail server; undefined writes mail to files. */
  smtpUrl: string | undefined;
  /** Address of the sender, alone or with a name. */
  mailFrom: string;
  /** Where the newsletter's events go; undefined where nobody is told. */
  newsletterWebhook: NewsletterWebhook | undefined;
  /** What lets the edge forget; undefined where nothing does. */
  purgeUrl: string | undefined;
  renderCache: boolean;
  /** Whether visitors of a real shop are served. */
  production: boolean;
  /** Networks of the proxies whose X-Forwarded-* headers are believed. */
  trustProxy: string[];
  /** Value of Strict-Transport-Security; undefined sends none. */
  hsts: string | undefined;
  /** Networks of the back-office callers whose X-Original-Address is believed. */
  originalAddressFrom: string[];
  /** Address of each real service that takes the place of the embedded one. */
  upstreams: UpstreamUrls;
  /** Whether the shop has sample data, and sites are served at their local hosts. */
  demo: boolean;
  /** Whether the overview and the widgets are served. */
  overview: boolean;
  /** Whether mails are shown to everybody: never to visitors of a real shop. */
  outbox: boolean;
  /** Password of the demo's customer and member of staff; undefined makes one up at the first start. */
  demoPassword: string | undefined;
  logLevel: string;
  /** Name of the service in each line of the log; undefined where there is no need to tell it from others. */
  serviceName: string | undefined;
  /** How traces are sent; undefined where nobody collects any. */
  tracing: Tracing | undefined;
  /** Public origin per site, for the sites that have one set. */
  siteOrigins: ReadonlyMap<string, string>;
  /** Names of the variables of the service that are set. */
  set: ReadonlySet<string>;
  /** Variables that the service doesn't know, and that seem to be meant for it. */
  misspelled: readonly Misspelled[];
}

/** What came of reading an environment. */
export interface CheckedEnv {
  /** The environment, read as if nothing that is wrong in it were set. */
  env: Env;
  /** Every fault as `environment: <variable> <what is wrong>`. */
  faults: string[];
}

const validate = createStringsValidator<EnvVariables>("env");
const originPrefix = "SITE_ORIGIN_";

/**
 * Reads the environment.
 * @param variables - the variables of `process.env`; a blank one counts as not set
 * @throws StartError naming every wrong variable
 */
export function readEnv(variables: NodeJS.ProcessEnv): Env {
  const { env, faults } = checkEnv(variables);
  if (faults.length > 0) throw new StartError(faults);
  return env;
}

/**
 * Reads the environment, and goes on where something in it is wrong, so that one start can name all that is.
 * @param variables - the variables of `process.env`; a blank one counts as not set
 */
export function checkEnv(variables: NodeJS.ProcessEnv): CheckedEnv {
  const set: NodeJS.ProcessEnv = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()));
  const sites = findSites(findShop(set.SHOP_DIR).countries);
  const checked = validate(set);
  const faults = [
    ...(checked.valid ? [] : checked.faults),
    ...findUnknownSites(set, sites),
    ...findTwoSecrets(set),
    ...findMissingSecret(set),
  ].map((fault) => fault.replace(/^\//, "environment: "));
  const wrong = new Set(faults.map(variableOf));
  const right = Object.fromEntries(Object.entries(set).filter(([name]) => !wrong.has(name)));
  const known = [...Object.keys(schema.properties), ...sites.map((site) => `${originPrefix}${site}`)];
  return {
    env: {
      ...readRight(right),
      set: new Set(known.filter((name) => set[name])),
      misspelled: findMisspelled(variables, known),
    },
    faults,
  };
}

/** Gives the variable that a fault of the environment names. */
export function variableOf(fault: string): string | undefined {
  return /^environment: (\w+) /.exec(fault)?.[1];
}

/** Reads variables that are right. */
function readRight(set: NodeJS.ProcessEnv): Omit<Env, "misspelled" | "set"> {
  const result = validate(set);
  if (!result.valid) throw new StartError(result.faults);
  const shopFolder = findShop(set.SHOP_DIR);
  const sites = findSites(shopFolder.countries);
  const env = result.data;
  const production = env.NODE_ENV === "production";
  const demo = env.DEMO ? env.DEMO === "on" : !production;
  const overview = env.OVERVIEW ? env.OVERVIEW === "on" : demo;
  return {
    host: env.HOST,
    port: env.PORT,
    opsPort: env.OPS_PORT,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    keyEncryptionKey: env.KEY_ENCRYPTION_KEY,
    keyEncryptionKeyFile: env.KEY_ENCRYPTION_KEY_FILE,
    shopFolder,
    sites,
    defaultSite: env.DEFAULT_SITE ?? firstOf(sites),
    assetBaseUrl: env.ASSET_BASE_URL && assetBase(env.ASSET_BASE_URL),
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    newsletterWebhook: webhookOf(env),
    purgeUrl: env.PURGE_URL,
    renderCache: env.RENDER_CACHE === "on",
    production,
    trustProxy: entriesOf(env.TRUST_PROXY),
    hsts: env.HSTS === "off" ? undefined : env.HSTS,
    originalAddressFrom: entriesOf(env.ORIGINAL_ADDRESS_FROM),
    upstreams: upstreamUrls(env),
    demo,
    overview,
    outbox: overview && !production,
    demoPassword: env.DEMO_PASSWORD,
    logLevel: env.LOG_LEVEL,
    serviceName: env.OTEL_SERVICE_NAME,
    tracing: tracingOf(env),
    siteOrigins: siteOrigins(set),
  };
}

/** Splits a comma-separated list. */
function entriesOf(list: string | undefined): string[] {
  return list?.split(",").map((entry) => entry.trim()) ?? [];
}

/** Takes the address of the assets folder, or of the place that holds it: both are usual. */
function assetBase(url: string): string {
  const base = url.replace(/\/+$/, "");
  return base.endsWith("/assets") ? base : `${base}/assets`;
}

function findUnknownSites({ DEFAULT_SITE, ...variables }: NodeJS.ProcessEnv, sites: readonly string[]): string[] {
  const unknown = [...siteOrigins(variables).keys()].filter((code) => !sites.includes(code));
  return [
    ...(DEFAULT_SITE && !sites.includes(DEFAULT_SITE) ? [`/DEFAULT_SITE must be one of ${sites.join(", ")}`] : []),
    ...unknown.map((code) => `/${originPrefix}${code} names no country`),
  ];
}

/** Gives the site of those who name none: Germany where it is one of the sites, else the first by name. */
function firstOf(sites: readonly string[]): string {
  const [first = "DE"] = sites;
  return sites.includes("DE") ? "DE" : first;
}

function findTwoSecrets(variables: NodeJS.ProcessEnv): string[] {
  return ["KEY_ENCRYPTION_KEY", "NEWSLETTER_WEBHOOK_SECRET"]
    .filter((name) => variables[name] && variables[`${name}_FILE`])
    .map((name) => `/${name}_FILE must not be set beside ${name}`);
}

function findMissingSecret(variables: NodeJS.ProcessEnv): string[] {
  const isSigned = variables.NEWSLETTER_WEBHOOK_SECRET || variables.NEWSLETTER_WEBHOOK_SECRET_FILE;
  return variables.NEWSLETTER_WEBHOOK_URL && !isSigned
    ? ["/NEWSLETTER_WEBHOOK_SECRET is missing beside NEWSLETTER_WEBHOOK_URL"]
    : [];
}

function webhookOf(env: EnvVariables): NewsletterWebhook | undefined {
  const { NEWSLETTER_WEBHOOK_URL: url } = env;
  return url === undefined
    ? undefined
    : { url, secret: env.NEWSLETTER_WEBHOOK_SECRET, secretFile: env.NEWSLETTER_WEBHOOK_SECRET_FILE };
}

function tracingOf(env: EnvVariables): Tracing | undefined {
  const collector = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!collector || env.OTEL_TRACES_EXPORTER === "none" || env.OTEL_SDK_DISABLED === "true") return undefined;
  return {
    collector,
    protocol: env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL,
    sampler: env.OTEL_TRACES_SAMPLER,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}

function upstreamUrls(env: EnvVariables): UpstreamUrls {
  const urls: UpstreamUrls = {};
  for (const { name, variable } of realServices) urls[name] = env[variable];
  return urls;
}

function siteOrigins(variables: NodeJS.ProcessEnv): Map<string, string> {
  const origins = new Map<string, string>();
  for (const [name, value] of Object.entries(variables)) {
    if (name.startsWith(originPrefix) && value) origins.set(name.slice(originPrefix.length), value);
  }
  return origins;
}
