import { readdirSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Country } from "../schemas/types.ts";
import { StartError } from "./errors.ts";
import { versionStarts } from "./footer-versions.ts";
import type { Texts } from "./i18n.ts";
import { createValidator } from "./validate.ts";
import { findEndsBeforeStarts } from "./validity.ts";

/** A country with its origin as this service is configured. */
export interface Site extends Country {
  /** When each version of its footer starts, in milliseconds since the epoch. */
  footerStarts: number[];
}

export interface CountryRegistry {
  readonly sites: readonly Site[];
  /** @param code - as in `?site=`, for example CH_FR */
  get(code: string): Site | undefined;
  /** @param host - host name without port; a request may have none */
  forHost(host: string | undefined): Site | undefined;
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

/** Codes of the countries of a folder, by the names of their files. */
export function findSites(folder: string): string[] {
  return findFiles(folder).map((file) => siteOf(file));
}

/**
 * Loads every country file of a folder; a new file is all a new country needs here.
 * @throws StartError naming every fault of every file by file and field
 */
export async function loadCountries({ folder, texts, origins, localPort }: LoadOptions): Promise<CountryRegistry> {
  const files = findFiles(folder);
  const loaded = await Promise.all(files.map((file) => loadCountry(join(folder, file), texts)));
  const sites = loaded.flatMap(({ country }) => (country ? [configure(country)] : []));
  const faults = [...loaded.flatMap((result) => result.faults), ...findClashes(sites)];
  if (files.length === 0) faults.push("countries: no country file found");
  if (faults.length > 0) throw new StartError(faults);

  const byCode = new Map(sites.map((site) => [site.site, site]));
  const byHost = new Map(sites.flatMap((site) => hostsOf(site).map((host) => [host, site])));
  return { sites, get: (code) => byCode.get(code), forHost: (host) => byHost.get(host?.toLowerCase() ?? "") };

  function configure(country: Country): Site {
    const local = localPort === undefined ? undefined : `http://${country.localHost}:${localPort}`;
    const own = new URL(country.origin).hostname;
    const origin = origins?.get(country.site) ?? local ?? country.origin;
    const footerStarts = versionStarts(country.footer);
    return { ...country, origin, hosts: [own, ...(country.hosts ?? [])], footerStarts };
  }
}

function findFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => /^[^.]+\.(ts|js)$/.test(file))
    .sort();
}

/** ch-fr.ts is CH_FR. */
function siteOf(file: string): string {
  return basename(file, extname(file)).toUpperCase().replace("-", "_");
}

/** CH_FR is ch-fr, without the ending. */
function fileNameOf(site: string): string {
  return site.toLowerCase().replace("_", "-");
}

async function loadCountry(path: string, texts: Texts): Promise<{ country?: Country; faults: string[] }> {
  // As its author knows it, also where it is built.
  const file = `countries/${basename(path, extname(path))}.ts`;
  const plugin = await importPlugin(path);
  if ("fault" in plugin) return { faults: [`${file} ${plugin.fault}`] };
  const result = validate(plugin.data);
  const faults = [
    ...(result.valid ? [] : result.faults),
    ...findMisnamed(file, plugin.data),
    ...findTextFaults(plugin.data, texts),
    ...findEndsBeforeStarts(plugin.data.footer, "/footer"),
  ].map((fault) => `${file} ${fault}`);
  return result.valid && faults.length === 0 ? { country: result.data, faults } : { faults };
}

async function importPlugin(path: string): Promise<{ data: Partial<Country> } | { fault: string }> {
  try {
    const plugin: { default?: unknown } = await import(pathToFileURL(path).href);
    const data = plugin.default;
    return typeof data === "object" && data ? { data } : { fault: "has no country as its default export" };
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { fault: `can't be loaded: ${reason}` };
  }
}

function findMisnamed(file: string, { site }: Partial<Country>): string[] {
  if (typeof site !== "string" || siteOf(basename(file)) === site) return [];
  return [`/site is ${site}, so the file must be named ${fileNameOf(site)}`];
}

/** A text of each namespace that every site's locale needs. */
const samples = [
  ["login", "heading"],
  ["mail", "confirm.subject"],
  ["newsletter", "title"],
  ["page", "title"],
  ["preview", "signIn.title"],
  ["subscription", "confirm.title"],
  ["widgets", "close"],
] as const;

/** Texts the country names that aren't there, or that need a figure it doesn't give. */
function findTextFaults({ locale, footerLocale, footer, facts }: Partial<Country>, texts: Texts): string[] {
  const given = Object.keys(facts ?? {});
  const faults: string[] = [];
  for (const [namespace, key] of samples) {
    if (typeof locale === "string" && !texts.has(locale, namespace, key)) {
      faults.push(`/locale no ${namespace} texts in locale ${locale}`);
    }
  }
  if (typeof footerLocale !== "string") return faults;
  for (const { path, key } of textKeys(footer, "/footer")) {
    if (!texts.has(footerLocale, "footer", key)) faults.push(`${path} no text "${key}" in locale ${footerLocale}`);
    for (const name of texts.placeholders(footerLocale, "footer", key)) {
      if (!given.includes(name)) faults.push(`${path} text "${key}" needs /facts/${name}`);
    }
  }
  return faults;
}

/** The fields of a footer that hold the key of a text. */
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
    ...findTwice(
      "/site",
      sites.map((site) => [site.site, site]),
    ),
    ...findTwice(
      "/switcher/code",
      sites.map((site) => [site.switcher.code, site]),
    ),
    ...findTwice(
      "/hosts",
      sites.flatMap((site) => hostsOf(site).map((host): [string, Site] => [host, site])),
    ),
  ];
}

/** @param claims - what each site claims in a field, which must be its own */
function findTwice(field: string, claims: [string, Site][]): string[] {
  const owners = Map.groupBy(claims, ([claim]) => claim);
  return [...owners].flatMap(([claim, [first, ...others]]) =>
    others.map(
      ([, site]) =>
        `countries/${fileNameOf(site.site)}.ts ${field} ${claim} belongs to ${first?.[1].site} and ${site.site}`,
    ),
  );
}
