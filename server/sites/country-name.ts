import type { Site } from "./countries.ts";

/** By locale. Every footer names every country, and to ask the system for a name takes longer than to render it. */
const names = new Map<string, string>();

/** Gives the name that the country of a site has in the site's own language. */
export function countryName({ locale }: Pick<Site, "locale">): string {
  const { region = "" } = new Intl.Locale(locale);
  const name = names.get(locale) ?? new Intl.DisplayNames(locale, { type: "region" }).of(region) ?? region;
  names.set(locale, name);
  return name;
}
