import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { Country } from "../../schemas/types.ts";
import { fileNameOf, siteOf } from "../config/country-files.ts";
import { describeJsonFault } from "../platform/describe-json-fault.ts";
import { referenceLocale } from "../platform/own-texts.ts";
import { placeholdersIn } from "../platform/placeholders.ts";
import type { Texts } from "../platform/texts.ts";
import { builtInTexts, checkCountry, textOf } from "./check-country.ts";
import { namedPageTexts } from "./named-fields.ts";
import { footerTextLocale } from "./site.ts";

/** A country's file, with or without faults. */
export interface Plugin {
  /** The path in the repository, even for a built file, because its author knows only that path. */
  file: string;
  isLoaded: boolean;
  /** The data of the file, valid or not. */
  data: Partial<Country>;
  /** The validated country; missing if the data are invalid. */
  country?: Country;
  faults: string[];
}

/** Loads and checks the file of a country. */
export async function loadPlugin(path: string, texts: Texts): Promise<Plugin> {
  const file = `countries/${basename(path).replace(/\.js$/, ".ts")}`;
  const imported = await importPlugin(path);
  if ("fault" in imported) return { file, isLoaded: false, data: {}, faults: [`${file} ${imported.fault}`] };
  const { data } = imported;
  const { country, faults } = checkCountry(data, builtInTexts(data, texts));
  const all = [
    ...faults,
    ...findMisnamed(file, data),
    ...findHeaderFaults(data, texts),
    ...findLocaleFaults(data, texts),
  ];
  return {
    file,
    isLoaded: true,
    data,
    faults: all.map((fault) => `${file} ${fault.trimStart()}`),
    ...(country && { country }),
  };
}

async function importPlugin(path: string): Promise<{ data: Partial<Country> } | { fault: string }> {
  try {
    const data: unknown = path.endsWith(".json")
      ? JSON.parse(await readFile(path, "utf8"))
      : (await import(pathToFileURL(path).href)).default;
    return typeof data === "object" && data ? { data } : { fault: "has no country as its default export" };
  } catch (error) {
    if (path.endsWith(".json") && error instanceof SyntaxError) return { fault: describeJsonFault(error) };
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { fault: `can't be loaded: ${reason}${placeOf(error, basename(path))}` };
  }
}

/** Returns the line at which a file has failed to load, in the author's file, not in a built one. */
function placeOf(error: unknown, file: string): string {
  const [, after = ""] = (error instanceof Error && error.stack ? error.stack : "").split(file);
  const [, line] = /^(?:\?\d+)?:(\d+)/.exec(after) ?? [];
  return line ? ` (line ${line})` : "";
}

function findMisnamed(file: string, { site }: Partial<Country>): string[] {
  if (typeof site !== "string" || siteOf(basename(file)) === site) return [];
  return [`/site is ${site}, so the file must be named ${fileNameOf(site)}`];
}

/** Finds texts that a header names but that don't exist, or that have a placeholder, which nothing fills. */
function findHeaderFaults(data: Partial<Country>, texts: Texts): string[] {
  if (!texts.isRead(referenceLocale, "page")) return [];
  return namedPageTexts(data).flatMap(({ path, name }) => {
    const text = texts.find(referenceLocale, "page", name);
    if (text === undefined) return [`${path} no text "${name}" in locale ${referenceLocale}`];
    return placeholdersIn(text).map((placeholder) => `${path} text "${name}" needs a value for {{${placeholder}}}`);
  });
}

/**
 * Namespaces that a site's locale may lack: the footer has a locale of its own, the demo shows only the texts that it
 * finds, a site without the subscriber's page has the one that unsubscribes, a failed sign-in at an identity provider has
 * the texts of other failures, and staff read English instead.
 */
const optionalNamespaces = ["footer", "demo", "seasons", "preferences", "sign-in", "staff-sign-in"];

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
