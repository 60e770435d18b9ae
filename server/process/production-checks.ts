import { closest, distance } from "fastest-levenshtein";
import schema from "../../schemas/env.schema.json" with { type: "json" };
import type { Brand } from "../brand/brand.ts";
import {
  type CheckedEnv,
  type Env,
  knownVariables,
  type ServiceName,
  upstreamsOf,
  usesEmbedded,
} from "../config/env.ts";
import { variableOf, withoutFollowing } from "../platform/faults.ts";
import type { Logger } from "../platform/logger.ts";
import type { Texts } from "../platform/texts.ts";
import type { Draft, Site } from "../sites/countries.ts";
import { findBlanks, findGaps, showsImprint } from "../sites/find-gaps.ts";

interface LoadedShop {
  shop: { brand: Pick<Brand, "legalNames" | "imprints">; texts: Texts };
  /** The countries at the origins at which they are to be served. */
  drafts: readonly Draft[];
  faults: readonly string[];
}

interface ConfiguredContext {
  env: Env;
  logger: Logger;
  /** The sites at the origins at which they are served. */
  countries: { sites: readonly Site[] };
  texts: Texts;
}

/**
 * Finds everything that prevents a start: faults of the environment and of the shop, companies of sites that don't exist
 * and, in production, settings and blanks that would harm shoppers. Each variable is named once.
 */
export function findStartFaults({ env, faults }: CheckedEnv, { shop, drafts, faults: ofShop }: LoadedShop): string[] {
  // Without the shop's own folder, these are not the countries that are meant.
  const meant = faults.some((fault) => variableOf(fault) === "SHOP_DIR") ? [] : drafts;
  const further = [
    ...(env.production ? findProductionFaults(env, meant) : []),
    ...findUnknownSites(shop.brand, env.sites),
    ...(env.production ? findBlankFaults(meant.filter(showsCompany), shop.texts) : []),
  ];
  return [...faults, ...withoutFollowing(further, [...faults, ...ofShop]), ...ofShop];

  /** Whether shoppers of a site read of its company: in the embedded newsletter, or in its footer. */
  function showsCompany({ site, footer }: Draft): boolean {
    return upstreamsOf(env, site).newsletter === undefined || showsImprint(footer);
  }
}

/** Logs the configuration. */
export function logConfiguration({ env, countries: { sites }, logger }: ConfiguredContext): void {
  logger.info(describeConfiguration(env, sites), "configuration");
}

/**
 * Logs a warning for settings, countries and texts with which the service starts, but doesn't do what a shop needs.
 */
export function warnOfConfiguration({ env, countries: { sites }, texts, logger }: ConfiguredContext): void {
  const gaps = findGaps(sites, texts);
  if (gaps.length > 0)
    logger.warn(
      { gaps: countByFile(gaps) },
      "countries and their texts have gaps, which the command `country gaps` lists",
    );
  for (const { site, locale, missingConsentTexts: keys, unknownImages } of sites) {
    for (const { path, name } of unknownImages)
      logger.error({ site, field: path, source: name }, "the country names an image that doesn't exist: none is shown");
    if (keys.length > 0)
      logger.warn({ site, locale, keys }, "the locale lacks texts of the consent: the site offers no newsletter");
  }
  for (const { variable, beside } of findHalfPairs(env, "login", ["customer"]))
    logger.warn(
      `${variable} names no real service beside ${beside}: the real customer service gets credentials of the embedded login service, which it can't check`,
    );
  if (!env.production) {
    const faults = env.demo ? findMistakes(env) : findProductionFaults(env, sites);
    if (faults.length > 0) logger.warn({ faults }, "a start in production would be refused for these settings");
  }
  if (env.production) for (const warning of findPlainConnections(env)) logger.warn(warning);
  if (env.demo) return;
  const blanks = sites.flatMap((site) => findBlanks(site, texts).map(() => site.site));
  if (blanks.length > 0)
    logger.warn({ blanks: countByFile(blanks) }, "countries have blanks, which shoppers read: fill in each ‹…›");
}

/** Counts lines by their first word, which is a site or a file: a new country has hundreds. */
function countByFile(lines: readonly string[]): Record<string, number> {
  const byFile = Map.groupBy(lines, (line) => line.split(" ", 1)[0] ?? line);
  return Object.fromEntries([...byFile].map(([file, { length }]) => [file, length]));
}

/** Lists the connections to other machines on which personal data may travel without TLS. */
function findPlainConnections({ variables: { DATABASE_URL = "", SMTP_URL = "" } }: Env): string[] {
  const [database, mail] = [URL.parse(DATABASE_URL), URL.parse(SMTP_URL)];
  const isRemote = (url: URL | null) => url !== null && url.hostname !== "" && !isThisMachine(url.hostname);
  const isPlain = (database?.searchParams.get("sslmode") ?? "disable") === "disable";
  // With a password, TLS is required.
  const mayBePlain = mail?.protocol === "smtp:" && mail.password === "";
  return [
    ...(isRemote(database) && isPlain ? ["DATABASE_URL connects without TLS: add sslmode=verify-full"] : []),
    ...(isRemote(mail) && mayBePlain
      ? ["SMTP_URL connects without TLS unless the server offers it: use smtps://"]
      : []),
  ];
}

/** Addresses whose path may hold a secret. */
const secretPaths = ["NEWSLETTER_WEBHOOK_URL", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];

/**
 * Describes the configuration for the log. Secrets are only said to be given; addresses lose user, password and query.
 * @returns the value of each variable, null where it has none; the names of those that are set; the sites' origins
 */
function describeConfiguration(env: Env, sites: readonly Site[]) {
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
  const ofSites = Object.entries(variables)
    .filter(([name]) => !(name in schema.properties))
    .map(([name, value = ""]) => [name, withoutSecrets(value)]);
  return {
    settings: Object.fromEntries([...settings, ...ofSites]),
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

/** @returns each fault as `brand.json <field> <message>` */
function findUnknownSites({ legalNames, imprints }: LoadedShop["shop"]["brand"], sites: readonly string[]): string[] {
  return Object.entries({ legalNames, imprints }).flatMap(([field, bySite]) =>
    Object.keys(bySite)
      .filter((site) => !sites.includes(site))
      .map((site) => `brand.json /${field}/${site} isn't a site: it must be one of ${sites.join(", ")}`),
  );
}

/** @returns each fault as `<file> <field> <message>` */
function findBlankFaults(sites: readonly Draft[], texts: Texts): string[] {
  return sites.flatMap((site) =>
    findBlanks(site, texts).map(
      ({ place, value }) =>
        `${place} must be filled in, in the folder of SHOP_DIR: shoppers of ${site.site} would read the blanks of "${value}"`,
    ),
  );
}

/** @returns each fault as `environment: <variable> <what it must be, and why>` */
function findProductionFaults(env: Env, sites: readonly Draft[]): string[] {
  const { assetBaseUrl = "", mailFrom, smtpUrl, trustProxy } = env;
  const sendsMail = usesEmbedded(env, "newsletter");
  const isSecure = sites.some(({ origin }) => origin.startsWith("https:"));
  const sender = /@([^@>]+)>?$/.exec(mailFrom)?.[1] ?? "";
  const rules = {
    "DEMO must be off where NODE_ENV is production, as its accounts let anybody in: leave NODE_ENV unset to try it":
      env.demo,
    "TRUST_PROXY must name the proxies that serve the https origins, such as 10.0.42.0/28: without it all visitors count as one, and share one limit":
      isSecure && trustProxy.length === 0,
    "SMTP_URL must name the mail server, such as smtps://user:password@host:465: the embedded newsletter's mails become files without it":
      sendsMail && !smtpUrl,
    [`MAIL_FROM must be an address of the shop, such as Shop <newsletter@host>: nobody can answer to ${mailFrom}`]:
      sendsMail && isReserved(sender),
    "ASSET_BASE_URL must be https, as browsers load nothing else into the pages of https origins":
      isSecure && assetBaseUrl.startsWith("http:"),
  };
  return [
    ...faultsOf(rules),
    ...sites
      .filter(({ origin }) => isReserved(hostOf(origin)))
      .map(
        ({ site, origin }) =>
          `environment: SITE_ORIGIN_${site} must be the origin at which shoppers reach the site, which ${origin} can't be`,
      ),
    ...Object.entries(env.variables)
      .filter(([name, value = ""]) => !name.startsWith("SITE_ORIGIN_") && isExample(hostOf(value)))
      .map(([name, value = ""]) => `environment: ${name} must name a real server: ${hostOf(value)} is an example`),
    ...findMistakes(env),
  ];
}

/** Finds settings that are wrong even in the demo, but don't prevent a start there. */
function findMistakes(env: Env): string[] {
  const { newsletterWebhook, sites, unknownVariables, variables } = env;
  const hasNewsletter = usesEmbedded(env, "newsletter");
  const [webhookSecret, eventsSecret] = ["NEWSLETTER_WEBHOOK_SECRET", "NEWSLETTER_EVENTS_SECRET"].map((secret) =>
    [secret, `${secret}_FILE`].find((name) => variables[name]),
  );
  const rules = {
    "NEWSLETTER_WEBHOOK_URL must not be set where every site has a real newsletter service: only the embedded one has events":
      newsletterWebhook !== undefined && !hasNewsletter,
    [`${eventsSecret} must not be set where every site has a real newsletter service: it takes the sender's reports itself`]:
      eventsSecret !== undefined && !hasNewsletter,
    [`NEWSLETTER_WEBHOOK_URL is missing beside ${webhookSecret}: nobody gets the events`]:
      webhookSecret !== undefined && newsletterWebhook === undefined,
  };
  const halves = findHalfPairs(env, "customer", ["login", "newsletter"]).map(
    ({ variable, beside }) =>
      `environment: ${variable} must name a real service beside ${beside}: the embedded customer service knows nobody there, so no form is prefilled, and no subscriber is spared the newsletter's form`,
  );
  const known = knownVariables(sites);
  const typos = unknownVariables.flatMap((name) => findTypo(name, known));
  return [...halves, ...faultsOf(rules), ...typos];
}

/** @param rules - what is said of a setting, and whether it holds */
function faultsOf(rules: Record<string, boolean>): string[] {
  return Object.entries(rules).flatMap(([fault, isBroken]) => (isBroken ? [`environment: ${fault}`] : []));
}

/**
 * Finds the sites where a service is embedded, but one that works only with the real one isn't.
 * @returns the variables of the former, each once, with those of the latter
 */
function findHalfPairs(env: Env, embedded: ServiceName, others: readonly ServiceName[]) {
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

const ownPrefix = /^(UPSTREAM|NEWSLETTER_WEBHOOK|NEWSLETTER_EVENTS)_/;
/** Set by Kubernetes for every service beside a pod, whatever its name. */
const ofKubernetes = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT(?:_\d+_\w+)?$/;

/** Reports a variable with a prefix of ours, or with nearly the name of one of ours. NODE_ENV resembles other programs'. */
function findTypo(name: string, known: readonly string[]): string[] {
  const meant = closest(
    name,
    known.filter((one) => one !== "NODE_ENV"),
  );
  const isSwapped = distance(name, meant) === 2 && [...name].sort().join() === [...meant].sort().join();
  // Short names resemble too many others, as PORTS does PORT.
  const isNear = meant.length > 7 && (isSwapped || distance(name, meant) <= (meant.length < 10 ? 1 : 2));
  const isMeant = (isNear || ownPrefix.test(name)) && !ofKubernetes.test(name);
  return isMeant ? [`environment: ${name} is not known: rename it to ${meant}, or remove it`] : [];
}

/** Whether a host can't be a shop's: an example, or this machine. */
function isReserved(host: string): boolean {
  return isExample(host) || isThisMachine(host);
}

function isThisMachine(host: string): boolean {
  return /(^|\.)localhost\.?$|^(127\.|0\.0\.0\.0$)|^\[::1?\]$/i.test(host);
}

/** Names reserved for examples and tests: RFC 2606, RFC 6761. */
function isExample(host: string): boolean {
  return /(^|\.)(example|test|invalid|example\.(com|net|org))\.?$/i.test(host);
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? "";
}
