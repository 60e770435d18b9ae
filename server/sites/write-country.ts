import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Country } from "../../schemas/types.ts";
import { fileNameOf } from "../config/country-files.ts";
import { StartError, throwFaults } from "../platform/errors.ts";
import { markGap } from "../platform/own-texts.ts";
import type { Site } from "./countries.ts";

interface NewCountry {
  /** Code of the site, such as SI; CH_IT for one language of a country. */
  site: string;
  /** The country that is copied. */
  model: Site;
  /** The model's texts by namespace and key. */
  texts: Record<string, Record<string, string>>;
  /** All existing locales. */
  locales: readonly string[];
  /** All existing flags. */
  flags: readonly Country["switcher"]["flag"][];
}

/** Fields that only the shop's operators can fill in, in addition to its facts. */
const ownFields = ["/origin", "/imprint", "/apps", "/navigation", "/account", "/newsletter", "/footer"];

/**
 * The gaps of a copy of the same country. Its rules are right, but these fields are another company's: what it sells,
 * promises and is awarded. A country that leaves out `categories` offers all of them.
 */
const companyFields = [
  "/origin",
  "/imprint",
  "/apps",
  "/navigation",
  "/newsletter/topics",
  "/newsletter/categories",
  "/newsletter/voucher",
  "/footer/teaser",
  "/footer/seo",
  "/footer/socialMedia",
  "/footer/appReferences",
  "/footer/qualityLogos",
];

/** The longest line of a country's file, in characters. */
const lineWidth = 120;

/** Replaces the flag of a country for which none has been drawn yet. */
const neutralFlag = "neutral";

/**
 * Writes the file of a new country and, if there are no texts in its language, those of its locale. They are copies of
 * a model: `gaps` lists the fields to replace, and the texts are marked.
 * @param folder - contains the folders `countries` and `locales`
 * @param types - the module from which the country's file imports its type
 * @returns the paths of the files
 * @throws StartError if a file already exists, or no region has the code
 */
export function writeCountry(country: NewCountry, { folder, types }: { folder: string; types: string }): string[] {
  const data = buildCountry(country);
  const isTranslated = country.locales.includes(data.locale) || country.locales.includes(data.footerLocale);
  const files = {
    [join("countries", `${fileNameOf(data.site)}.ts`)]: sourceOf(data, types),
    ...(isTranslated ? {} : buildLocale(data.locale, country.texts)),
  };
  const paths = Object.entries(files).map(([path, content]) => ({ path: join(folder, path), content }));
  throwFaults(paths.flatMap(({ path }) => (existsSync(path) ? [`${path} already exists`] : [])));
  for (const { path, content } of paths) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return paths.map(({ path }) => path);
}

function buildCountry({ site, model, locales, flags }: NewCountry): Country {
  const { language, region, name, timeZone = model.timeZone } = findRegion(site);
  const locale = `${language}-${region}`;
  const [from, to] = [fileNameOf(model.site), fileNameOf(site)];
  const flag = flags.find((known) => known === name.toLowerCase().replaceAll(" ", "-"));
  const facts = Object.keys(model.facts).map((fact) => `/facts/${fact}`);
  const {
    file: _file,
    site: _site,
    gaps: _gaps,
    hosts: _hosts,
    footerStarts: _starts,
    statesTopics: _states,
    missingConsentTexts: _missing,
    unknownImages: _unknown,
    ...copied
  } = replaceCode(model, from, to);
  return {
    site,
    gaps:
      model.site === site
        ? companyFields
        : [
            ...ownFields.filter((field) => Object.hasOwn(model, field.slice(1))),
            ...facts,
            ...(flag ? [] : ["/switcher/flag"]),
          ],
    ...copied,
    locale,
    footerLocale: locales.includes(language) ? language : locale,
    localHost: `${to}.localhost`,
    timeZone,
    switcher: { code: to.replace("-", "_"), flag: flag ?? neutralFlag },
  };
}

/**
 * Finds the most common language in the region of a site, unless its code names one, and the region's time zone.
 * @throws StartError if there is no such region
 */
function findRegion(site: string) {
  const [region = "", language] = site.split("_");
  const name = new Intl.DisplayNames("en", { type: "region", fallback: "none" }).of(region);
  if (!name) throw new StartError([`${site}: there is no country ${region}`]);
  const locale = new Intl.Locale("und", { region }).maximize();
  const [timeZone] = locale.getTimeZones?.() ?? [];
  return { language: language?.toLowerCase() ?? locale.language, region, name, timeZone };
}

/** Replaces a country's code in the URLs of its other sites: as the first part of a host, or as a folder. */
function replaceCode(model: Site, from: string, to: string): Site {
  const code = new RegExp(`(?<="https://|"https://[^"]*/)${from}(?=[./"])`, "g");
  return JSON.parse(JSON.stringify(model).replace(code, to));
}

/** Marks each text as not yet translated, with as many plural forms as the language has. */
function buildLocale(locale: string, texts: NewCountry["texts"]): Record<string, string> {
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
  const files = Object.entries(texts).map(([namespace, byKey]) => {
    const marked = Object.entries(byKey).flatMap(([key, text]): [string, string][] => {
      const [base, form] = key.split("_");
      if (!form) return [[key, markGap(text)]];
      return form === "other" ? pluralCategories.map((category) => [`${base}_${category}`, markGap(text)]) : [];
    });
    return [join("locales", locale, `${namespace}.json`), `${JSON.stringify(Object.fromEntries(marked), null, 2)}\n`];
  });
  return Object.fromEntries(files);
}

/** Writes a country in the style of the others. */
function sourceOf(country: Country, types: string): string {
  const data = writeLiteral(country, 0).replace(
    "  gaps: [",
    "  // Still the model's. Set each, and take it out of the list.\n  gaps: [",
  );
  return `import type { Country } from "${types}";\n\nexport default ${data} satisfies Country;\n`;
}

/**
 * Writes a value as TypeScript: on one line if that isn't too long.
 * @param column - where the value begins on its line
 * @param indent - the spaces before that line
 */
function writeLiteral(value: unknown, column: number, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const within = `${indent}  `;
  const entries = Object.entries(value).map(([name, child]) => {
    const field = isList ? "" : `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: `;
    return field + writeLiteral(child, within.length + field.length, within);
  });
  const line = isList ? `[${entries.join(", ")}]` : `{ ${entries.join(", ")} }`;
  if (!line.includes("\n") && column + line.length < lineWidth) return line;
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  return [open, ...entries.map((entry) => `${within}${entry},`), indent + close].join("\n");
}
