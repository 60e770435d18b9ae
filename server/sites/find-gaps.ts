import { baseOf, referenceLocale, sharedPlaceholders } from "../platform/own-texts.ts";
import type { Texts } from "../platform/texts.ts";
import type { UncheckedSite } from "./countries.ts";
import { namedPageTexts, namedTexts } from "./named-fields.ts";
import { footerTextLocale, imprintTexts, sharedFooterTexts } from "./site.ts";
import { maySay } from "./voucher-texts.ts";

/**
 * Lists the remaining work of the authors of countries and texts: fields copied from another country or with an unknown
 * image, texts that a locale lacks, and texts whose placeholders differ from the reference locale's. A locale needs the
 * footer's texts that its countries name or every footer shows, and the texts of the other namespaces that its countries
 * may show.
 * @returns each gap as `<file> /<field or key> <what is wrong>`
 */
export function findGaps(sites: readonly UncheckedSite[], texts: Texts): string[] {
  const fields = sites.flatMap(({ file, gaps = [], unknownImages }) => [
    ...gaps.map((path) => `${file} ${path} is still another country's`),
    ...unknownImages.map(({ path, name }) => `${file} ${path} names an image that doesn't exist: ${name}`),
  ]);
  const inTexts = texts.namespaces(referenceLocale).flatMap((namespace) => {
    const isFooter = namespace === "footer";
    const byLocale = Map.groupBy(sites, (site) => (isFooter ? footerTextLocale(site) : site.locale));
    return [...byLocale].flatMap(([locale, users]) => {
      // If a file that a locale must have is missing, that is a fault, which prevents the start.
      if (!texts.namespaces(locale).includes(namespace)) return [];
      if (namespace === "page") return findTextGaps(texts, locale, namespace, findNeededPageTexts(texts, users, sites));
      if (!isFooter) return findTextGaps(texts, locale, namespace, findNeededTexts(texts, namespace, users));
      const ofSites = users.flatMap((site) => [...namedTexts(site), ...imprintTexts(site)]);
      return findTextGaps(texts, locale, namespace, new Set([...sharedFooterTexts, ...ofSites]));
    });
  });
  return [...fields, ...inTexts];
}

/** Lists the texts that some countries need: all but those about a voucher, or topics, where none of them has it. */
function findNeededTexts(texts: Texts, namespace: string, users: readonly UncheckedSite[]): ReadonlySet<string> {
  const keys = Object.keys(texts.bundle(referenceLocale, namespace)).map(baseOf);
  const needed = new Set(keys.filter((key) => users.some((site) => maySay(site, namespace, key))));
  if (users.every(({ newsletter }) => newsletter.topics === undefined)) needed.delete("legal.topics");
  return needed;
}

/** Lists the texts of pages that some countries need: all but those that the headers of others name. */
function findNeededPageTexts(
  texts: Texts,
  users: readonly UncheckedSite[],
  sites: readonly UncheckedSite[],
): ReadonlySet<string> {
  const namesOf = (some: readonly UncheckedSite[]) => new Set(some.flatMap(namedPageTexts).map(({ name }) => name));
  const [own, all] = [namesOf(users), namesOf(sites)];
  const keys = Object.keys(texts.bundle(referenceLocale, "page")).map(baseOf);
  return new Set(keys.filter((key) => own.has(key) || !all.has(key)));
}

/** @param needed - the keys that the locale must have */
function findTextGaps(texts: Texts, locale: string, namespace: string, needed: ReadonlySet<string>): string[] {
  const reference = texts.bundle(referenceLocale, namespace);
  const models = new Map(Object.entries(reference).map(([key, text]) => [baseOf(key), text]));
  return [...models].flatMap(([key, model]) => {
    const name = `locales/${locale}/${namespace}.json /${key}`;
    const text = texts.find(locale, namespace, key);
    if (text === undefined) return needed.has(key) ? [`${name} is missing`] : [];
    const [own, wanted] = [text, model].map((source) => sharedPlaceholders(source, namespace).join(", "));
    return own === wanted ? [] : [`${name} has the placeholders ${own || "none"} in place of ${wanted || "none"}`];
  });
}

/** A value with a blank that the shop must fill in. */
interface Blank {
  /** The place where the shop fills it in, in its own folder: `<file> <field>`. */
  place: string;
  value: string;
}

/** Finds the values with a blank `‹…›` in a site's consents, emails and imprint. */
export function findBlanks({ site, locale, imprint, newsletter }: UncheckedSite, texts: Texts): Blank[] {
  const values = [
    [`brand.json /legalNames/${site}`, newsletter.sender],
    [`brand.json /topics/${site}`, newsletter.topics],
    ...Object.entries(imprint).map(([field, value]) => [`brand.json /imprints/${site}/${field}`, value]),
    ...["newsletter", "mail", "preferences"].flatMap((namespace) =>
      Object.entries(texts.bundle(locale, namespace)).map(([key, text]) => [
        `locales/${locale}/${namespace}.json /${key}`,
        text,
      ]),
    ),
  ];
  return values.flatMap(([place = "", value = ""]) => (/\u2039.*\u203a/s.test(value) ? [{ place, value }] : []));
}

/** Whether a footer, valid or not, shows the imprint. */
export function showsImprint(footer: unknown): boolean {
  return /"imprint":true/.test(JSON.stringify(footer) ?? "");
}
