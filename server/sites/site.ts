import type { Country, FooterParameters } from "../../schemas/types.ts";
import { referenceLocale } from "../platform/own-texts.ts";
import type { TextLookup } from "../platform/texts.ts";

/**
 * Country names by locale. Cached, because every footer has all of them, and looking one up takes longer than rendering
 * it.
 */
const names = new Map<string, string>();

/** Returns the name of a site's country in the site's own language. */
export function countryName({ locale }: Pick<Country, "locale">): string {
  const known = names.get(locale);
  if (known !== undefined) return known;
  const { region = "" } = new Intl.Locale(locale);
  const name = new Intl.DisplayNames(locale, { type: "region" }).of(region) ?? region;
  names.set(locale, name);
  return name;
}

/**
 * Returns the locale of a site's footer texts: the site's own if the footer's language is its fallback (de-AT, then
 * de), otherwise the footer's.
 */
export function footerTextLocale({ locale, footerLocale }: Pick<Country, "locale" | "footerLocale">): string {
  return locale.startsWith(`${footerLocale}-`) ? locale : footerLocale;
}

/** The keys of the footer texts that every site shows, whatever its country's file names. */
export const sharedFooterTexts = [
  "legal.heading",
  "link.opensInNewTab",
  "paymentAndDelivery.heading",
  "quality.certifiedBy",
  "switcher.heading",
  "viewChanger.heading",
] as const;

/** Lists the keys of the footer texts for a site's imprint that only some countries require. */
export function imprintTexts({ imprint }: { imprint: Partial<Country["imprint"]> }) {
  const facts = ["mersis", "kep", "email", "phone"] as const;
  return facts.filter((fact) => imprint[fact]).map((fact) => `imprint.${fact}` as const);
}

/**
 * Returns the values for the placeholders in a site's footer texts: its figures, and the telephone number of its
 * imprint.
 */
export function footerFacts({ facts, imprint }: { facts: Country["facts"]; imprint: Partial<Country["imprint"]> }) {
  return imprint.phone === undefined ? facts : { phone: imprint.phone, ...facts };
}

/** Writes a site's imprint in its language: name and address, register, further facts. */
export function imprintLines(site: Country, texts: Pick<TextLookup, "translator">): string[] {
  const { imprint, newsletter } = site;
  const text = texts.translator(footerTextLocale(site), "footer", imprint);
  const facts = imprintTexts(site).map((key) => text(key));
  return [`${newsletter.sender}, ${imprint.address}`, imprint.register, ...facts].filter((line) => line !== "");
}

/** Returns the name by which the emails of a site name the shop, with its host. */
export function signature(brand: string, { origin }: Pick<Country, "origin">): string {
  return `${brand} (${new URL(origin).host})`;
}

/** How a footer writes links to its site: as paths, or with the site's origin for pages on other hosts. */
export type LinkForm = FooterParameters["links"];

/**
 * Returns the function that writes the URL of a link: in the absolute form, a path of the site gets its origin, and any
 * other URL stays.
 */
export function urlWriter({ origin }: Pick<Country, "origin">, links: LinkForm): (url: string) => string {
  return links === "absolute" ? (url) => (url.startsWith("/") ? origin + url : url) : (url) => url;
}

/** Whether a site has every text of the subscriber's page. Locales that were written before the page lack them. */
export function offersPreferences(
  { locale }: Pick<Country, "locale">,
  texts: Pick<TextLookup, "bundle" | "find">,
): boolean {
  const keys = Object.keys(texts.bundle(referenceLocale, "preferences"));
  return keys.every((key) => texts.find(locale, "preferences", key) !== undefined);
}

/** Whether a site has every text of the consent. Without them it can't ask for a consent. */
export function offersNewsletter({ missingConsentTexts }: { missingConsentTexts: readonly string[] }): boolean {
  return missingConsentTexts.length === 0;
}
