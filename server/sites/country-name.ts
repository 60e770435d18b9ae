import type { Site } from "./countries.ts";

/** Gives the name that the country of a site has in the site's own language. */
export function countryName({ locale }: Pick<Site, "locale">): string {
  const { region = "" } = new Intl.Locale(locale);
  return new Intl.DisplayNames(locale, { type: "region" }).of(region) ?? region;
}
