import { baseOf, placeholdersIn, referenceLocale } from "../platform/own-texts.ts";
import type { Texts } from "../platform/texts.ts";
import type { Site } from "./countries.ts";
import { footerTextLocale } from "./site.ts";

/**
 * Lists the work left for the authors of countries and texts: fields copied from another country, texts that a locale
 * lacks, and texts whose placeholders differ from the reference locale's.
 * @returns each gap as `<file> <field or key> <what is wrong>`
 */
export function findGaps(sites: readonly Site[], texts: Texts): string[] {
  const fields = sites.flatMap(({ site, gaps = [] }) =>
    gaps.map((path) => `${site} ${path} is still another country's`),
  );
  const inTexts = texts.namespaces(referenceLocale).flatMap((namespace) => {
    const locales = new Set(sites.map((site) => (namespace === "footer" ? footerTextLocale(site) : site.locale)));
    // A missing file that a locale must have is a fault, which prevents the start.
    const there = [...locales].filter((locale) => texts.namespaces(locale).includes(namespace));
    return there.flatMap((locale) => findTextGaps(texts, locale, namespace));
  });
  return [...fields, ...inTexts];
}

function findTextGaps(texts: Texts, locale: string, namespace: string): string[] {
  const reference = texts.bundle(referenceLocale, namespace);
  const models = new Map(Object.entries(reference).map(([key, text]) => [baseOf(key), text]));
  return [...models].flatMap(([key, model]) => {
    const name = `locales/${locale}/${namespace}.json ${key}`;
    const text = texts.find(locale, namespace, key);
    if (text === undefined) return [`${name} is missing`];
    const [own, wanted] = [text, model].map((source) => placeholdersIn(source).sort().join(", "));
    return own === wanted ? [] : [`${name} has the placeholders ${own || "none"} in place of ${wanted || "none"}`];
  });
}
