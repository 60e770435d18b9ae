import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Moment } from "../../client/rules/time.ts";
import type { Country } from "../../schemas/types.ts";
import type { Brand } from "../brand/brand.ts";
import type { Drawings } from "../brand/load-images.ts";
import { fileNameOf, findCountryFiles, siteOf } from "../config/country-files.ts";
import { refuseBrokenLetters } from "../platform/broken-letters.ts";
import { referenceLocale } from "../platform/own-texts.ts";
import { placeholdersIn } from "../platform/placeholders.ts";
import { readSchema } from "../platform/schemas.ts";
import type { Texts } from "../platform/texts.ts";
import { findEndsBeforeStarts } from "../platform/time.ts";
import { createValidator } from "../platform/validate.ts";
import { versionStarts } from "./footer-versions.ts";
import { consentTexts } from "./legal-texts.ts";
import { footerFacts, footerTextLocale } from "./site.ts";

/** A country with the configuration of this service applied. */
export interface Site extends Country {
  /** The path of its file in the shop, such as `countries/de.ts`. */
  file: string;
  /** The host names of this site. */
  hosts: string[];
  /** The start of each version of its footer. */
  footerStarts: Moment[];
  /** The keys of the texts that its newsletter's consent needs, but its locale doesn't have. */
  missingConsentTexts: string[];
  /** The fields that name a flag, icon or logo that doesn't exist: the footer shows none in its place. */
  unknownImages: NamedField[];
}

/**
 * What is known of a country whose file may have faults, with the configuration applied: enough to look for further
 * faults and for gaps. What isn't known is empty.
 */
export interface Draft
  extends Pick<Site, "file" | "site" | "locale" | "footerLocale" | "origin" | "gaps" | "unknownImages"> {
  imprint: Partial<Country["imprint"]>;
  newsletter: Pick<Country["newsletter"], "sender">;
  footer?: Country["footer"] | undefined;
}

/** A field of a country that contains the name of something, such as the key of a text. */
interface NamedField {
  /** Such as `/switcher/flag`. */
  path: string;
  name: string;
}

export type CountryRegistry = Awaited<ReturnType<typeof readCountries>>["countries"];

type UncheckedCountry = Omit<Partial<Country>, "footer"> & { footer?: unknown };

/** The texts that a footer may name. */
interface NameableTexts {
  /** Whether there is a text of a key. */
  has(key: string): boolean;
  /** Says that there is none. */
  describeMissing(key: string): string;
  /** Returns the text that is shown, as it is written; undefined when there is none. */
  find(key: string): string | undefined;
}

interface ReadOptions {
  folder: string;
  drawings: Drawings;
  texts: Texts;
  /** The companies that replace those in the country files. */
  brand?: Pick<Brand, "legalNames" | "imprints">;
  /** Origins that replace those in the country files, by site code. */
  origins?: ReadonlyMap<string, string>;
  /** Serves the sites at http://<local host>:<port>, except those in `origins`. */
  localPort?: number | undefined;
}

const validate = refuseBrokenLetters(createValidator<Country>("country"));

/** Reads and checks the country files of a folder. */
export async function readCountries(options: ReadOptions) {
  const { folder, drawings, texts, brand, origins, localPort } = options;
  const files = findCountryFiles(folder);
  const plugins = await Promise.all(files.map((file) => loadPlugin(join(folder, file), options)));
  const faults = [...plugins.flatMap((plugin) => plugin.faults), ...findClashes(plugins, origins)];
  if (files.length === 0) faults.push("countries: no country file found");

  const read = plugins.map((plugin) => {
    const known = draft(plugin);
    return { known, site: plugin.country && configure(plugin.country, known) };
  });
  const sites: readonly Site[] = read.flatMap(({ site }) => site ?? []);
  const byCode = new Map(sites.map((site) => [site.site, site]));
  const byHost = new Map(sites.flatMap((site) => site.hosts.map((host) => [host, site])));
  return {
    /** The valid countries. */
    countries: {
      sites,
      /** Returns the site with a code as in `?site=`, for example CH_FR. */
      get: (code: string) => byCode.get(code),
      /** Returns the site with a host name without a port. */
      forHost: (host = "") => byHost.get(host.toLowerCase()),
      withFooter,
    },
    /** All countries, valid or not. */
    drafts: read.map(({ known }) => known),
    /** The keys of the footer texts that countries name; undefined when a file can't be loaded. */
    named: plugins.every(({ isLoaded }) => isLoaded)
      ? new Set(plugins.flatMap(({ data }) => namedTexts(data)))
      : undefined,
    /** The faults of all files, each as `countries/<file> /field message`. */
    faults,
  };

  function draft({ file, data }: Plugin): Draft {
    const site = textOf(data.site) || siteOf(file);
    const local = localPort === undefined ? undefined : `http://${data.localHost}:${localPort}`;
    return {
      file,
      site,
      locale: textOf(data.locale),
      footerLocale: textOf(data.footerLocale),
      origin: origins?.get(site) ?? local ?? textOf(data.origin),
      gaps: Array.isArray(data.gaps) ? data.gaps : [],
      imprint: { ...data.imprint, ...brand?.imprints[site] },
      newsletter: { sender: brand?.legalNames[site] ?? textOf(data.newsletter?.sender) },
      footer: data.footer,
      unknownImages: findUnknownImages(data, drawings),
    };
  }

  /**
   * Checks another footer by every rule of the country's own.
   * @returns the site with this footer, unless the schema refuses it; each fault as `/field message`
   */
  function withFooter({ site: code }: Site, footer: unknown, nameable: NameableTexts) {
    const plugin = plugins.find(({ country }) => country?.site === code);
    if (!plugin) throw new Error(`there is no country ${code}`);
    const data = { ...plugin.country, footer };
    const { country, faults } = checkCountry(data, nameable);
    return { faults, site: country && configure(country, draft({ ...plugin, data: country })) };
  }

  function configure(country: Country, known: Draft): Site {
    return {
      ...known,
      ...country,
      origin: known.origin,
      imprint: { ...country.imprint, ...known.imprint },
      newsletter: { ...country.newsletter, ...known.newsletter },
      hosts: hostsOf(country, origins),
      footerStarts: versionStarts(country.footer),
      missingConsentTexts: consentTexts(country.newsletter).filter(
        (key) => texts.find(country.locale, "newsletter", key) === undefined,
      ),
    };
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

interface Plugin {
  /** The path in the repository, also for a built file: it is the one that the author knows. */
  file: string;
  isLoaded: boolean;
  /** The data of the file, valid or not. */
  data: Partial<Country>;
  /** The validated country; missing when the data is invalid. */
  country?: Country;
  faults: string[];
}

async function loadPlugin(path: string, { texts }: ReadOptions): Promise<Plugin> {
  const file = `countries/${basename(path).replace(/\.js$/, ".ts")}`;
  const imported = await importPlugin(path);
  if ("fault" in imported) return { file, isLoaded: false, data: {}, faults: [`${file} ${imported.fault}`] };
  const { data } = imported;
  const { country, faults } = checkCountry(data, builtInTexts(data, texts));
  const all = [...faults, ...findMisnamed(file, data), ...findLocaleFaults(data, texts)];
  return {
    ...{ file, isLoaded: true, data, faults: all.map((fault) => `${file} ${fault.trimStart()}`) },
    ...(country && { country }),
  };
}

/**
 * Checks a country's data.
 * @returns the country, unless the schema refuses it; each fault as `/field message`
 */
function checkCountry(data: UncheckedCountry, nameable: NameableTexts) {
  const result = validate(data);
  return {
    country: result.valid ? result.data : undefined,
    faults: [
      ...(result.valid ? [] : result.faults),
      ...findFooterTextFaults(data, nameable),
      ...findEndsBeforeStarts(data.footer, "/footer"),
    ],
  };
}

async function importPlugin(path: string): Promise<{ data: Partial<Country> } | { fault: string }> {
  try {
    const data: unknown = path.endsWith(".json")
      ? JSON.parse(await readFile(path, "utf8"))
      : (await import(pathToFileURL(path).href)).default;
    return typeof data === "object" && data ? { data } : { fault: "has no country as its default export" };
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { fault: `can't be loaded: ${reason}${placeOf(error, basename(path))}` };
  }
}

/** Returns the line in which a file has failed to load, as its author knows it: not that of a built file. */
function placeOf(error: unknown, file: string): string {
  const [, after = ""] = (error instanceof Error && error.stack ? error.stack : "").split(file);
  const [, line] = /^(?:\?\d+)?:(\d+)/.exec(after) ?? [];
  return line ? ` (line ${line})` : "";
}

function findMisnamed(file: string, { site }: Partial<Country>): string[] {
  if (typeof site !== "string" || siteOf(basename(file)) === site) return [];
  return [`/site is ${site}, so the file must be named ${fileNameOf(site)}`];
}

/** Namespaces that a site's locale may lack: the footer has a locale of its own, the demo shows those it finds. */
const optionalNamespaces = ["footer", "demo"];

/** Finds namespaces that a country's locales lack. */
function findLocaleFaults({ locale, footerLocale }: Partial<Country>, texts: Texts): string[] {
  const faults: string[] = [];
  if (typeof locale === "string") {
    const there = [...texts.namespaces(locale), ...optionalNamespaces];
    for (const namespace of texts.namespaces(referenceLocale).filter((name) => !there.includes(name)))
      faults.push(`/locale no ${namespace} texts in locale ${locale}`);
  }
  const footerTexts = footerTextLocale({ locale: textOf(locale), footerLocale: textOf(footerLocale) });
  if (typeof footerLocale === "string" && !texts.namespaces(footerTexts).includes("footer"))
    faults.push(`/footerLocale no footer texts in locale ${footerTexts}`);
  return faults;
}

/**
 * Returns the texts that a country's file may name: those of the reference locale. A text that only the country's locale
 * lacks is no fault: it is left out, and logged.
 */
export function builtInTexts({ locale, footerLocale }: Partial<Country>, texts: Texts): NameableTexts {
  const shown = footerTextLocale({ locale: textOf(locale), footerLocale: textOf(footerLocale) });
  return {
    has: (key) => !texts.isRead(referenceLocale, "footer") || texts.find(referenceLocale, "footer", key) !== undefined,
    describeMissing: (key) => `no text "${key}" in locale ${referenceLocale}`,
    find: (key) => texts.find(shown, "footer", key),
  };
}

/** Finds texts that a footer names but that don't exist, and texts with a placeholder that the facts don't fill. */
function findFooterTextFaults(
  { footer, facts, imprint }: UncheckedCountry,
  { has, describeMissing, find }: NameableTexts,
): string[] {
  const given = facts && Object.keys(footerFacts({ facts, imprint: imprint ?? {} }));
  return findNames(textFields, footer, "/footer").flatMap(({ path, name: key }) => [
    ...(has(key) ? [] : [`${path} ${describeMissing(key)}`]),
    ...placeholdersIn(find(key) ?? "")
      .filter((name) => given?.includes(name) === false)
      .map((name) => `${path} text "${key}" needs /facts/${name}`),
  ]);
}

function findUnknownImages(country: Partial<Country>, drawings: Drawings): NamedField[] {
  const kinds = ["flags", "icons", "logos"] as const;
  return kinds.flatMap((kind) => findNames(imageFields[kind], country).filter(({ name }) => !drawings[kind].has(name)));
}

const schema = readSchema("country");
/** The fields of a country that contain the key of a text. */
const textFields = findFields("textKey", schema);
/** The fields that contain the name of an image, by the kind of image. */
const imageFields = {
  flags: findFields("flag", schema),
  icons: findFields("icon", schema),
  logos: findFields("logoSource", schema),
};

/** Lists the keys of the footer texts that a country names. */
export function namedTexts({ footer }: { footer?: unknown }): string[] {
  return findNames(textFields, footer).map(({ name }) => name);
}

/** Finds the fields that refer to a definition of the schema. */
function findFields(definition: string, part: object): string[] {
  return Object.entries(part).flatMap(([name, child]) => {
    if (typeof child !== "object" || child === null) return [];
    return child.$ref === `#/$defs/${definition}` ? [name] : findFields(definition, child);
  });
}

/**
 * Finds the values of some fields, at any depth of the data.
 * @param found - the list that is returned: a list for each of a country's 2,000 parts would take most of the time
 */
function findNames(fields: readonly string[], value: unknown, path = "", found: NamedField[] = []): NamedField[] {
  if (typeof value !== "object" || value === null) return found;
  for (const [field, child] of Object.entries(value)) {
    if (typeof child !== "string") findNames(fields, child, `${path}/${field}`, found);
    else if (fields.includes(field)) found.push({ path: `${path}/${field}`, name: child });
  }
  return found;
}

/** Lists the hosts that a country claims: its local host, and those of its file and of its configured origin. */
function hostsOf(
  { site = "", localHost, origin, hosts }: Partial<Country>,
  origins?: ReadOptions["origins"],
): string[] {
  const named = [localHost, hostOf(origin), hostOf(origins?.get(site)), ...(Array.isArray(hosts) ? hosts : [])];
  return [...new Set(named.filter((host) => typeof host === "string"))];
}

function hostOf(origin = ""): string | undefined {
  return URL.parse(origin)?.hostname;
}

function findClashes(plugins: Plugin[], origins?: ReadOptions["origins"]): string[] {
  return [
    ...findTwice("/site", plugins, ({ site }) => [site]),
    ...findTwice("/switcher/code", plugins, ({ switcher }) => [switcher?.code]),
    ...findTwice("/hosts", plugins, (data) => hostsOf(data, origins)),
  ];
}

/**
 * Finds values of a field that several countries claim, but only one may have.
 * @param claimsOf - returns the values that a country claims
 * @returns each fault as `file /field message`
 */
function findTwice(field: string, plugins: Plugin[], claimsOf: (data: Partial<Country>) => unknown[]): string[] {
  const claims = plugins.flatMap(({ file, data }) =>
    claimsOf(data).flatMap((claim) =>
      typeof claim === "string" ? [{ claim, file, site: data.site ?? siteOf(file) }] : [],
    ),
  );
  return [...Map.groupBy(claims, ({ claim }) => claim)].flatMap(([claim, [first, ...others]]) =>
    others.map(({ file, site }) => `${file} ${field} ${claim} belongs to ${first?.site} and ${site}`),
  );
}
