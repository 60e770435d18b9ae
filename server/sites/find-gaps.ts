import type { Texts } from "../i18n.ts";
import { referenceLocale } from "../locale-files.ts";
import type { Site } from "./countries.ts";
import { footerTextLocale } from "./footer-text-locale.ts";

/**
 * Lists what those who write the countries and their texts have still to do: fields that are another country's, and
 * texts that a locale lacks, or whose placeholders are others than the reference locale's.
 * @returns each gap as `<file> <field or key> <what is wrong>`
 */
export function findGaps(sites: readonly Site[], texts: Texts): string[] {
  const fields = sites.flatMap(({ site, gaps = [] }) =>
    gaps.map((path) => `${site} ${path} is still another country's`),
  );
  const inTexts = texts.namespaces(referenceLocale).flatMap((namespace) => {
    const locales = new Set(sites.map((site) => (namespace === "footer" ? footerTextLocale(site) : site.locale)));
    // Where a locale must have a file and hasn't, that is a fault, which stops the start.
    const there = [...locales].filter((locale) => texts.namespaces(locale).includes(namespace));
    return there.flatMap((locale) => findTextGaps(texts, locale, namespace));
  });
  return [...fields, ...inTexts];
}

function findTextGaps(texts: Texts, locale: string, namespace: string): string[] {
  return texts.keys(referenceLocale, namespace).flatMap((key) => {
    const name = `locales/${locale}/${namespace}.json ${key}`;
    if (!texts.has(locale, namespace, key)) return [`${name} is missing`];
    const wanted = texts.placeholders(referenceLocale, namespace, key).sort().join(", ");
    const own = texts.placeholders(locale, namespace, key).sort().join(", ");
    return own === wanted ? [] : [`${name} has the placeholders ${own || "none"} in place of ${wanted || "none"}`];
  });
}
