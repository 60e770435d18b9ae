import type { Env } from "./env.ts";
import { realServices } from "./services/real-services.ts";
import type { Site } from "./sites/countries.ts";
import { fileNameOf } from "./sites/file-name-of.ts";

type Value = string | number;

/** What holds, by its name, and which variable or file has settled that; undefined where it is the default. */
type Settings = Record<string, readonly [value: Value, from: string | undefined]>;

/** What decides whether traces are sent, and where to. */
const tracingVariables = [
  "OTEL_SDK_DISABLED",
  "OTEL_TRACES_EXPORTER",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
];
const protocolVariables = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"];
const headerVariables = ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"];

/**
 * Tells what the service is configured to do, for the log. Of keys and passwords it says no more than whether they are
 * given, of addresses neither user nor query.
 * @param sites - those that are served, at their origins
 * @returns the settings, and where those that aren't defaults are from: a variable, or a country's file
 */
export function describeConfiguration(env: Env, sites: readonly Pick<Site, "site" | "origin">[]) {
  const { newsletterWebhook: webhook, upstreams } = env;
  const by = (...variables: readonly string[]) => variables.find((name) => env.set.has(name));
  const byEither = (secret: string) => by(secret, `${secret}_FILE`);
  const settings: Settings = {
    production: [onOff(env.production), by("NODE_ENV")],
    demo: [onOff(env.demo), by("DEMO", "NODE_ENV")],
    demoPassword: [passwordOf(env), by("DEMO_PASSWORD")],
    overview: [onOff(env.overview), by("OVERVIEW", "DEMO", "NODE_ENV")],
    logLevel: [env.logLevel, by("LOG_LEVEL")],
    host: [env.host, by("HOST")],
    port: [env.port, by("PORT")],
    opsPort: [env.opsPort || "off", by("OPS_PORT")],
    trustProxy: [listed(env.trustProxy), by("TRUST_PROXY")],
    originalAddressFrom: [listed(env.originalAddressFrom), by("ORIGINAL_ADDRESS_FROM")],
    hsts: [env.hsts ?? "off", by("HSTS")],
    store: [storeOf(env), by("DATABASE_URL", "DATA_DIR")],
    keyEncryptionKey: [
      env.keyEncryptionKey || env.keyEncryptionKeyFile ? "given" : `file in ${env.dataDir}`,
      byEither("KEY_ENCRYPTION_KEY"),
    ],
    dataDir: [env.dataDir, by("DATA_DIR")],
    mail: [mailsOf(env), by("UPSTREAM_NEWSLETTER_URL", "SMTP_URL", "DATA_DIR")],
    mailFrom: [env.mailFrom, by("MAIL_FROM")],
    // The path of such an address may be a secret.
    newsletterWebhook: [webhook ? new URL(webhook.url).origin : "none", by("NEWSLETTER_WEBHOOK_URL")],
    newsletterWebhookSecret: [webhook ? "given" : "none", byEither("NEWSLETTER_WEBHOOK_SECRET")],
    purge: [addressOf(env.purgeUrl) ?? "none", by("PURGE_URL")],
    serviceName: [env.serviceName ?? "none", by("OTEL_SERVICE_NAME")],
    traces: [env.tracing ? new URL(env.tracing.collector).origin : "none", by(...tracingVariables)],
    tracesProtocol: [env.tracing?.protocol ?? "none", by(...protocolVariables)],
    tracesSampler: [samplerOf(env), by("OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG")],
    tracesHeaders: [by(...headerVariables) ? "given" : "none", by(...headerVariables)],
    tracesAttributes: [by("OTEL_RESOURCE_ATTRIBUTES") ? "given" : "none", by("OTEL_RESOURCE_ATTRIBUTES")],
    renderCache: [onOff(env.renderCache), by("RENDER_CACHE")],
    assets: [addressOf(env.assetBaseUrl) ?? "origin of the page", by("ASSET_BASE_URL")],
    shop: [env.shopFolder.own ?? "built in", by("SHOP_DIR")],
    defaultSite: [env.defaultSite, by("DEFAULT_SITE")],
  };
  const services: Settings = Object.fromEntries(
    realServices.map(({ name, variable }) => [name, [addressOf(upstreams[name]) ?? "embedded", by(variable)]]),
  );
  const origins: Settings = Object.fromEntries(sites.map(({ site, origin }) => [site, [origin, originFrom(site)]]));
  return {
    settings: { ...valuesOf(settings), services: valuesOf(services), sites: valuesOf(origins) },
    from: { ...sourcesOf(settings), services: sourcesOf(services), sites: sourcesOf(origins) },
  };

  function originFrom(site: string): string | undefined {
    if (env.siteOrigins.has(site)) return `SITE_ORIGIN_${site}`;
    return env.demo ? by("DEMO") : `countries/${fileNameOf(site)}`;
  }
}

/** Tells where the newsletter's mails go. */
export function mailsOf({ dataDir, smtpUrl, upstreams }: Pick<Env, "dataDir" | "smtpUrl" | "upstreams">): string {
  if (upstreams.newsletter) return "sent by the real newsletter service";
  return addressOf(smtpUrl) ?? `files in ${dataDir}/outbox`;
}

function passwordOf({ demo, demoPassword }: Env): string {
  if (demoPassword) return "given";
  return demo ? "made up" : "none";
}

/** Tells where the store is: nowhere, where there is nothing to keep. */
function storeOf({ databaseUrl, dataDir, purgeUrl, upstreams }: Env): string {
  const isNeeded = purgeUrl !== undefined || realServices.some(({ name }) => upstreams[name] === undefined);
  return isNeeded ? (addressOf(databaseUrl) ?? `SQLite in ${dataDir}`) : "none";
}

function samplerOf({ tracing }: Env): string {
  if (!tracing) return "none";
  return tracing.sampler.endsWith("ratio") ? `${tracing.sampler} of ${tracing.ratio}` : tracing.sampler;
}

function addressOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}

function onOff(isOn: boolean): string {
  return isOn ? "on" : "off";
}

function listed(networks: readonly string[]): string {
  return networks.join(", ") || "none";
}

function valuesOf(settings: Settings): Record<string, Value> {
  return Object.fromEntries(Object.entries(settings).map(([name, [value]]) => [name, value]));
}

function sourcesOf(settings: Settings): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).flatMap(([name, [, from]]) => (from ? [[name, from]] : [])));
}
