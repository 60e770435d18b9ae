import { readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Country } from "../schemas/types.ts";
import { StartError } from "./errors.ts";
import type { Texts } from "./i18n.ts";
import { createValidator } from "./validate.ts";

/** A country with its origin as this service is configured. */
export type Site = Country;

export interface CountryRegistry {
  readonly sites: readonly Site[];
  /** @param code - as in `?site=`, for example CH_FR */
  get(code: string): Site | undefined;
  /** @param host - host name without port */
  forHost(host: string): Site | undefined;
}

interface LoadOptions {
  folder: string;
  texts: Texts;
  /** Origins that replace the countries' own, by site code. */
  origins?: ReadonlyMap<string, string>;
  /** Serves the sites at http://<local host>:<port>, unless `origins` says otherwise. */
  localPort?: number | undefined;
}

const validate = createValidator<Country>("country");

/**
 * Loads every country file of a folder; a new file is all a new country needs here.
 * @throws StartError naming every fault of every file by file and field
 */
export async function loadCountries({ folder, texts, origins, localPort }: LoadOptions): Promise<CountryRegistry> {
  const files = (await readdir(folder)).filter((file) => /^[^.]+\.(ts|js)$/.test(file)).sort();
  const loaded = await Promise.all(files.map((file) => loadCountry(join(folder, file), texts)));
  const sites = loaded.flatMap(({ country }) => (country ? [withOrigin(country)] : []));
  const faults = [...loaded.flatMap((result) => result.faults), ...findClashes(sites), ...findUnknown(sites, origins)];
  if (files.length === 0) faults.push("countries: no country file found");
  if (faults.length > 0) throw new StartError(faults);

  const byCode = new Map(sites.map((site) => [site.site, site]));
  const byHost = new Map(sites.flatMap((site) => hostsOf(site).map((host) => [host, site])));
  return { sites, get: (code) => byCode.get(code), forHost: (host) => byHost.get(host.toLowerCase()) };

  function withOrigin(country: Country): Site {
    const local = localPort === undefined ? undefined : `http://${country.localHost}:${localPort}`;
    const own = new URL(country.origin).hostname;
    const origin = origins?.get(country.site) ?? local ?? country.origin;
    return { ...country, origin, hosts: [own, ...(country.hosts ?? [])] };
  }
}

async function loadCountry(path: string, texts: Texts): Promise<{ country?: Country; faults: string[] }> {
  const file = `countries/${basename(path)}`;
  try {
    const plugin: { default?: unknown } = await import(pathToFileURL(path).href);
    const result = validate(plugin.default);
    if (!result.valid) return { faults: result.faults.map((fault) => `${file} ${fault}`) };
    const country = result.data;
    const faults = [...findMisnamed(file, country), ...findMissingTexts(country, texts)];
    return { country, faults: faults.map((fault) => `${file} ${fault}`) };
  } catch (error) {
    return { faults: [`${file} can't be loaded: ${error instanceof Error ? error.message : error}`] };
  }
}

function findMisnamed(file: string, { site }: Country): string[] {
  const name = site.toLowerCase().replace("_", "-");
  return basename(file, extname(file)) === name ? [] : [`/site is ${site}, so the file must be named ${name}`];
}

/** Every string of the footer that stands where the schema wants a text key. */
function findMissingTexts({ locale, footerLocale, footer }: Country, texts: Texts): string[] {
  const faults = textKeys(footer, "/footer")
    .filter(({ key }) => !texts.has(footerLocale, "footer", key))
    .map(({ path, key }) => `${path} no text "${key}" in locale ${footerLocale}`);
  if (!texts.has(locale, "page", "title")) faults.push(`/locale no page texts in locale ${locale}`);
  return faults;
}

const textFields = new Set([
  "text",
  "heading",
  "headline",
  "introductoryText",
  "toMobile",
  "toDesktop",
  "textBeforeLink",
  "textAfterLink",
]);

function textKeys(value: unknown, path: string): { path: string; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, child]) =>
    typeof child === "string"
      ? textFields.has(field)
        ? [{ path: `${path}/${field}`, key: child }]
        : []
      : textKeys(child, `${path}/${field}`),
  );
}

function hostsOf(site: Site): string[] {
  return [...new Set([site.localHost, new URL(site.origin).hostname, ...(site.hosts ?? [])])];
}

function findClashes(sites: Site[]): string[] {
  return [
    ...findTwice(sites.map((site) => [site.site, site])),
    ...findTwice(sites.map((site) => [`switcher code ${site.switcher.code}`, site])),
    ...findTwice(sites.flatMap((site) => hostsOf(site).map((host): [string, Site] => [`host ${host}`, site]))),
  ];
}

function findTwice(claims: [string, Site][]): string[] {
  const owners = Map.groupBy(claims, ([claim]) => claim);
  return [...owners]
    .filter(([, owned]) => owned.length > 1)
    .map(([claim, owned]) => `countries: ${claim} belongs to ${owned.map(([, site]) => site.site).join(" and ")}`);
}

function findUnknown(sites: Site[], origins?: ReadonlyMap<string, string>): string[] {
  const known = new Set(sites.map((site) => site.site));
  return [...(origins?.keys() ?? [])]
    .filter((code) => !known.has(code))
    .map((code) => `environment: SITE_ORIGIN_${code} names no country`);
}
