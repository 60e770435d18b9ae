import type { TextLookup, Texts } from "../platform/texts.ts";
import type { Draft, Site } from "./countries.ts";
import { footerTextLocale, imprintTexts } from "./site.ts";

/** Writes what a site says about the company that runs it, in the site's language: name and address, register, facts. */
export function imprintLines(site: Site, texts: Pick<TextLookup, "translator">): string[] {
  const { imprint, newsletter } = site;
  const text = texts.translator(footerTextLocale(site), "footer", imprint);
  const facts = imprintTexts(site).map((key) => text(key));
  return [`${newsletter.sender}, ${imprint.address}`, imprint.register, ...facts].filter((line) => line !== "");
}

/** A value in which the shop has to fill something in. */
interface Blank {
  /** Where the shop does so: `<file> <field>`, in the folder of the shop. */
  place: string;
  value: string;
}

/** Finds the values with a blank `‹…›` in what a site's consents, emails and imprint say. */
export function findBlanks({ site, locale, imprint, newsletter }: Draft, texts: Texts): Blank[] {
  const values = [
    [`brand.json /legalNames/${site}`, newsletter.sender],
    ...Object.entries(imprint).map(([field, value]) => [`brand.json /imprints/${site}/${field}`, value]),
    ...["newsletter", "mail"].flatMap((namespace) =>
      Object.entries(texts.bundle(locale, namespace)).map(([key, text]) => [
        `locales/${locale}/${namespace}.json /${key}`,
        text,
      ]),
    ),
  ];
  return values.flatMap(([place = "", value = ""]) => (/\u2039.*\u203a/s.test(value) ? [{ place, value }] : []));
}
