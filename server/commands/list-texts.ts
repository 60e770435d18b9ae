import type { Brand } from "../brand/brand.ts";
import { baseOf } from "../platform/own-texts.ts";
import { fillPlaceholders, placeholdersIn } from "../platform/placeholders.ts";
import { writeWithUrls } from "../platform/text-links.ts";
import type { Texts } from "../platform/texts.ts";
import type { Site } from "../sites/countries.ts";
import { consentTexts, textValues } from "../sites/legal-texts.ts";
import { imprintLines, signature } from "../sites/site.ts";
import { maySay } from "../sites/voucher-texts.ts";

/** A sentence that the service stores or mails in the shop's name. */
interface ShopText {
  site: string;
  /** The file and the field that it comes from. A text that the shop hasn't written is `built-in`. */
  place: string;
  text: string;
}

/**
 * Lists what a site stores as the proof of consent, and what its emails say, with the company, the topics and the
 * figures of the country filled in. What differs between subscribers stays a placeholder.
 */
export function listShopTexts(site: Site, texts: Texts, brand: Brand): ShopText[] {
  const { locale, newsletter } = site;
  const values = textValues(locale, newsletter);
  const mailValues = new Map<string, unknown>(Object.entries({ ...values, shop: signature(brand.name, site) }));
  /** The place of a value that the brand may replace. */
  const companyPlace = (field: "legalNames" | "topics" | "imprints", ofCountry: string) =>
    brand[field][site.site] === undefined ? `${site.file} ${ofCountry}` : `brand.json /${field}/${site.site}`;
  const consent = texts.translator(locale, "newsletter", values);
  return [
    { place: companyPlace("legalNames", "/newsletter/sender"), text: newsletter.sender },
    ...(newsletter.topics === undefined
      ? []
      : [{ place: companyPlace("topics", "/newsletter/topics"), text: newsletter.topics }]),
    ...imprintLines(site, texts).map((text) => ({ place: companyPlace("imprints", "/imprint"), text })),
    ...consentTexts(site).map((key) => ({ place: texts.placeOf(locale, "newsletter", key), text: consent(key) })),
    ...(["preferences", "mail"] as const).flatMap((namespace) =>
      Object.entries(texts.bundle(locale, namespace))
        .filter(([key]) => (namespace === "mail" ? maySay(site, namespace, baseOf(key)) : isKept(key)))
        .map(([key, text]) => ({ place: texts.placeOf(locale, namespace, key), text: fillKnown(text, mailValues) })),
    ),
  ].map(({ place, text }) => ({ site: site.site, place, text: writeWithUrls(text, { ...newsletter.links }) }));
}

/** Whether a text of the subscriber's page is stored with a consent or stands in an email; the others are only shown. */
function isKept(key: string): boolean {
  return ["title", "submit"].includes(key) || key.startsWith("mail.");
}

/** Fills the placeholders whose values are known, and leaves the others. */
function fillKnown(text: string, values: ReadonlyMap<string, unknown>): string {
  const unknown = placeholdersIn(text).map((name) => [name, `{{${name}}}`] as const);
  return fillPlaceholders(text, new Map<string, unknown>([...unknown, ...values]));
}
